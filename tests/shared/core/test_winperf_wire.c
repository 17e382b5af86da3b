/* SPDX-License-Identifier: MIT */
/* Compares perf_wire.h with <winperf.h>. Compiling this file is the test, on Windows only. */
#include "support/test.h"

#include <string.h>

#include <windows.h>
#include <winperf.h>

#include "base/perf_wire.h"

#define SAME_SIZE(ours, theirs)                                                                    \
    static_assert(sizeof(prfdata_perf_##ours) == sizeof(theirs), #theirs " differs in size")
#define SAME_FIELD(ours, field, theirs, their_field)                                               \
    static_assert(offsetof(prfdata_perf_##ours, field) == offsetof(theirs, their_field) &&         \
                      sizeof(((prfdata_perf_##ours *)0)->field) ==                                 \
                          sizeof(((theirs *)0)->their_field),                                      \
                  #theirs "." #their_field " differs")

SAME_SIZE(data_block, PERF_DATA_BLOCK);
SAME_FIELD(data_block, signature, PERF_DATA_BLOCK, Signature);
SAME_FIELD(data_block, little_endian, PERF_DATA_BLOCK, LittleEndian);
SAME_FIELD(data_block, version, PERF_DATA_BLOCK, Version);
SAME_FIELD(data_block, revision, PERF_DATA_BLOCK, Revision);
SAME_FIELD(data_block, total_byte_length, PERF_DATA_BLOCK, TotalByteLength);
SAME_FIELD(data_block, header_length, PERF_DATA_BLOCK, HeaderLength);
SAME_FIELD(data_block, num_object_types, PERF_DATA_BLOCK, NumObjectTypes);
SAME_FIELD(data_block, default_object, PERF_DATA_BLOCK, DefaultObject);
SAME_FIELD(data_block, system_time, PERF_DATA_BLOCK, SystemTime);
SAME_FIELD(data_block, perf_time, PERF_DATA_BLOCK, PerfTime);
SAME_FIELD(data_block, perf_freq, PERF_DATA_BLOCK, PerfFreq);
SAME_FIELD(data_block, perf_time_100ns, PERF_DATA_BLOCK, PerfTime100nSec);
SAME_FIELD(data_block, system_name_length, PERF_DATA_BLOCK, SystemNameLength);
SAME_FIELD(data_block, system_name_offset, PERF_DATA_BLOCK, SystemNameOffset);

/* The title fields are pointers in 32-bit programs and DWORDs in others. Both have 4 bytes. */
SAME_SIZE(object_type, PERF_OBJECT_TYPE);
SAME_FIELD(object_type, total_byte_length, PERF_OBJECT_TYPE, TotalByteLength);
SAME_FIELD(object_type, definition_length, PERF_OBJECT_TYPE, DefinitionLength);
SAME_FIELD(object_type, header_length, PERF_OBJECT_TYPE, HeaderLength);
SAME_FIELD(object_type, object_name_title_index, PERF_OBJECT_TYPE, ObjectNameTitleIndex);
SAME_FIELD(object_type, object_name_title, PERF_OBJECT_TYPE, ObjectNameTitle);
SAME_FIELD(object_type, object_help_title_index, PERF_OBJECT_TYPE, ObjectHelpTitleIndex);
SAME_FIELD(object_type, object_help_title, PERF_OBJECT_TYPE, ObjectHelpTitle);
SAME_FIELD(object_type, detail_level, PERF_OBJECT_TYPE, DetailLevel);
SAME_FIELD(object_type, num_counters, PERF_OBJECT_TYPE, NumCounters);
SAME_FIELD(object_type, default_counter, PERF_OBJECT_TYPE, DefaultCounter);
SAME_FIELD(object_type, num_instances, PERF_OBJECT_TYPE, NumInstances);
SAME_FIELD(object_type, code_page, PERF_OBJECT_TYPE, CodePage);
SAME_FIELD(object_type, perf_time, PERF_OBJECT_TYPE, PerfTime);
SAME_FIELD(object_type, perf_freq, PERF_OBJECT_TYPE, PerfFreq);

SAME_SIZE(counter_definition, PERF_COUNTER_DEFINITION);
SAME_FIELD(counter_definition, byte_length, PERF_COUNTER_DEFINITION, ByteLength);
SAME_FIELD(counter_definition, counter_name_title_index, PERF_COUNTER_DEFINITION,
           CounterNameTitleIndex);
SAME_FIELD(counter_definition, counter_name_title, PERF_COUNTER_DEFINITION, CounterNameTitle);
SAME_FIELD(counter_definition, counter_help_title_index, PERF_COUNTER_DEFINITION,
           CounterHelpTitleIndex);
SAME_FIELD(counter_definition, counter_help_title, PERF_COUNTER_DEFINITION, CounterHelpTitle);
SAME_FIELD(counter_definition, default_scale, PERF_COUNTER_DEFINITION, DefaultScale);
SAME_FIELD(counter_definition, detail_level, PERF_COUNTER_DEFINITION, DetailLevel);
SAME_FIELD(counter_definition, counter_type, PERF_COUNTER_DEFINITION, CounterType);
SAME_FIELD(counter_definition, counter_size, PERF_COUNTER_DEFINITION, CounterSize);
SAME_FIELD(counter_definition, counter_offset, PERF_COUNTER_DEFINITION, CounterOffset);

SAME_SIZE(instance_definition, PERF_INSTANCE_DEFINITION);
SAME_FIELD(instance_definition, byte_length, PERF_INSTANCE_DEFINITION, ByteLength);
SAME_FIELD(instance_definition, parent_object_title_index, PERF_INSTANCE_DEFINITION,
           ParentObjectTitleIndex);
SAME_FIELD(instance_definition, parent_object_instance, PERF_INSTANCE_DEFINITION,
           ParentObjectInstance);
SAME_FIELD(instance_definition, unique_id, PERF_INSTANCE_DEFINITION, UniqueID);
SAME_FIELD(instance_definition, name_offset, PERF_INSTANCE_DEFINITION, NameOffset);
SAME_FIELD(instance_definition, name_length, PERF_INSTANCE_DEFINITION, NameLength);

SAME_SIZE(counter_block, PERF_COUNTER_BLOCK);
SAME_FIELD(counter_block, byte_length, PERF_COUNTER_BLOCK, ByteLength);

static_assert(PRFDATA_PERF_VERSION == PERF_DATA_VERSION, "PERF_DATA_VERSION differs");
static_assert(PRFDATA_PERF_REVISION == PERF_DATA_REVISION, "PERF_DATA_REVISION differs");

/* The asserts above are the test, but a test program needs at least one test. */
static void test_winperf_wire_signature_is_perf(void **state)
{
    (void)state;
    assert_int_equal(PRFDATA_PERF_SIGNATURE_BYTES, sizeof(((PERF_DATA_BLOCK *)0)->Signature));
    assert_memory_equal(L"PERF", "P\0E\0R\0F", PRFDATA_PERF_SIGNATURE_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_winperf_wire_signature_is_perf),
    };

    return cmocka_run_group_tests_name("winperf_wire", tests, NULL, NULL);
}
