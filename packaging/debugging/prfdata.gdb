# SPDX-License-Identifier: MIT
# Commands for gdb, in a process that has a provider DLL with symbols loaded: docs/debugging.md.
#
#     source prfdata.gdb
#     prfdata-set SET          the regions of a prfdata_region_set
#     prfdata-carry CARRY      what a prfdata_carry remembers: records, contributors, what each adds;
#                              a record adds less than 0 if a late region's counts are left out
#     prfdata-sums MERGE       the totals of a merge, and what each region adds to them; a maximum to which
#                              no instance adds is INT64_MIN
#     prfdata-room REQUEST     the bytes that are left of the reader's buffer, and those that a planned
#                              reply needs
#     prfdata-publisher P      what a program publishes, and its last look-up that failed
#     prfdata-region BYTES     the header at the beginning of a view, and the state in words
set print null-stop on

define prfdata-region
    set $prfdata_header = (prfdata_region_header *)($arg0)
    if $prfdata_header->magic != 0x52465250
        printf "no region: the magic number is 0x%x\n", $prfdata_header->magic
    else
        printf "state %u (0 being built, 1 published, 2 being taken over, 3 closed), process %u, ", \
            $prfdata_header->state, $prfdata_header->process_id
        printf "%llu in brackets, structure %llu, map %llx\n", \
            $prfdata_header->entered - $prfdata_header->left, $prfdata_header->structure, \
            $prfdata_header->map_hash
    end
end
document prfdata-region
Print the header of a region: prfdata-region BYTES
end

define prfdata-publisher
    set $prfdata_publisher = (struct prfdata_publisher *)($arg0)
    if !$prfdata_publisher->is_open
        printf "closed\n"
    else
        if $prfdata_publisher->region.bytes
            printf "publishes in %s\n", $prfdata_publisher->name.text
        else
            printf "counts in private memory\n"
        end
    end
    if $prfdata_publisher->failed_lookup
        printf "the last look-up that failed: id %llu, error %llu\n", \
            $prfdata_publisher->failed_lookup >> 32, $prfdata_publisher->failed_lookup & 0xFFFFFFFF
    end
end
document prfdata-publisher
Print what a program publishes: prfdata-publisher PUBLISHER
end

define prfdata-set
    set $prfdata_set = (prfdata_region_set *)($arg0)
    set $prfdata_index = 0
    printf "%u regions, %u files that are not attached\n", \
        $prfdata_set->count, $prfdata_set->unattached_count
    while $prfdata_index < $prfdata_set->count
        set $prfdata_member = &$prfdata_set->members[$prfdata_index]
        printf "%s: ", $prfdata_member->mapping->name.text
        output $prfdata_member->writer
        printf ", "
        prfdata-region $prfdata_member->mapping->view.bytes
        set $prfdata_index = $prfdata_index + 1
    end
end
document prfdata-set
Print the regions of a set: prfdata-set SET
end

# Print the words of a vector. $prfdata_words says how many there are.
define prfdata-words
    set $prfdata_word = 0
    while $prfdata_word < $prfdata_words
        printf " %lld", ($arg0)[$prfdata_word]
        set $prfdata_word = $prfdata_word + 1
    end
    printf "\n"
end

define prfdata-carry-object
    set $prfdata_object = $arg0
    set $prfdata_words = $prfdata_object->word_count
    printf "object %u: %llu records, %llu contributors, %u counters of other versions\n", \
        $prfdata_object->model_object->entry->id, $prfdata_object->record_count, \
        $prfdata_object->contributor_count, $prfdata_object->absent_count
    set $prfdata_index = 0
    while $prfdata_index < $prfdata_object->record_count
        printf "  record %u adds", $prfdata_index
        prfdata-words $prfdata_object->record_values+$prfdata_index*$prfdata_object->word_count
        set $prfdata_index = $prfdata_index + 1
    end
    set $prfdata_index = 0
    while $prfdata_index < $prfdata_object->contributor_count
        set $prfdata_contributor = &$prfdata_object->contributors[$prfdata_index]
        printf "  record %u, region %llx, slot %d, identity %u, ", \
            $prfdata_contributor->record, $prfdata_contributor->key.region, \
            $prfdata_contributor->key.slot, $prfdata_contributor->key.identity
        output $prfdata_contributor->state
        printf ", adds"
        prfdata-words $prfdata_object->contributor_values+$prfdata_index*$prfdata_object->word_count
        set $prfdata_index = $prfdata_index + 1
    end
end

define prfdata-carry
    set $prfdata_carry = (prfdata_carry *)($arg0)
    set $prfdata_number = 0
    while $prfdata_number < $prfdata_carry->object_count
        prfdata-carry-object &$prfdata_carry->objects[$prfdata_number]
        set $prfdata_number = $prfdata_number + 1
    end
end
document prfdata-carry
Print what a reader remembers of contributors: prfdata-carry CARRY
end

# Print the totals of an object. Only an object that has totals has sums: one without instances, or
# with the option 0x0200 (PRFDATA_MAP_TOTAL).
define prfdata-sums-object
    set $prfdata_merged = $arg0
    set $prfdata_words = $prfdata_merged->model_object->stored_count
    set $prfdata_index = 0
    printf "object %u: %u rows, total", $prfdata_merged->model_object->entry->id, \
        $prfdata_merged->row_count
    prfdata-words $prfdata_merged->totals
    while $prfdata_index < $prfdata_merge->region_count
        set $prfdata_snapshot = $prfdata_merge->snapshots[$prfdata_index]
        printf "  %s (", $prfdata_snapshot->mapping->name.text
        if $prfdata_snapshot->is_live
            printf "live"
        else
            printf "not live"
        end
        if $prfdata_snapshot->objects[$prfdata_merged->index].earlier
            printf ", of an earlier map"
        end
        printf ") adds"
        prfdata-words $prfdata_merged->sums+$prfdata_index*$prfdata_words
        set $prfdata_index = $prfdata_index + 1
    end
end

define prfdata-sums
    set $prfdata_merge = (prfdata_merge *)($arg0)
    set $prfdata_number = 0
    if !$prfdata_merge->objects
        printf "nothing was merged\n"
    else
        while $prfdata_number < $prfdata_merge->model->object_count
            set $prfdata_object = &$prfdata_merge->objects[$prfdata_number]
            if $prfdata_object->totals && (!$prfdata_object->model_object->has_instances || \
                $prfdata_object->model_object->options & 0x0200)
                prfdata-sums-object $prfdata_object
            end
            set $prfdata_number = $prfdata_number + 1
        end
    end
end
document prfdata-sums
Print the totals of a merge, and what each region adds: prfdata-sums MERGE
end

define prfdata-room
    set $prfdata_request = (prfdata_collect_request *)($arg0)
    set $prfdata_number = 0
    set $prfdata_bytes = 0
    printf "plans of the objects"
    while $prfdata_number < $prfdata_request->basis->installation->model->object_count
        if $prfdata_request->wanted[$prfdata_number]
            printf " %u", $prfdata_request->basis->installation->model->objects[$prfdata_number].entry->id
            set $prfdata_bytes = $prfdata_bytes + $prfdata_request->basis->plans[$prfdata_number]->bytes
        end
        set $prfdata_number = $prfdata_number + 1
    end
    printf " need %llu bytes, and the reader has given %llu\n", \
        $prfdata_bytes, $prfdata_request->block.capacity
end
document prfdata-room
Print why a planned reply does not fit: prfdata-room REQUEST
end
