# SPDX-License-Identifier: MIT
# Commands for gdb, in a process that has a provider DLL with symbols loaded: docs/debugging.md.
#
#     source prfdata.gdb
#     prfdata-set SET          the regions of a prfdata_region_set
#     prfdata-region BYTES     the header at the beginning of a view, and the state in words
set print null-stop on

define prfdata-region
    set $prfdata_header = (prfdata_region_header *)($arg0)
    if $prfdata_header->magic != 0x52465250
        printf "no region: the magic number is 0x%x\n", $prfdata_header->magic
    else
        printf "state %u (0 being built, 1 published, 2 being taken over, 3 closed), process %u, ", \
            $prfdata_header->state, $prfdata_header->process_id
        printf "%lu in brackets, structure %lu, map %lx\n", \
            $prfdata_header->entered - $prfdata_header->left, $prfdata_header->structure, \
            $prfdata_header->map_hash
    end
end
document prfdata-region
Print the header of a region: prfdata-region BYTES
end

define prfdata-set
    set $prfdata_set = (prfdata_region_set *)($arg0)
    set $prfdata_index = 0
    printf "set %lu: %u regions, %u files that are none\n", $prfdata_set->number, \
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
