/* SPDX-License-Identifier: MIT */
/*
 * Reads the former numbers of titles from the registry. map/title_numbers.c decides which id gets
 * which number.
 */
#include "install/numbering.h"

#include "install/upgrade.h"
#include "titles/former_titles.h"
#include "titles/title_database.h"

/*
 * Returns whether the remembered maps belong to the product of `later`. They may belong to another
 * product that had a service of this name before.
 */
static bool is_of_same_product(const prfdata_maps *maps, const prfdata_model *later)
{
    prfdata_model *model;
    bool is_same;

    if (prfdata_maps_decode_current(maps, prfdata_model_from_bytes, &model) != ERROR_SUCCESS)
        return false;
    is_same = prfdata_upgrade_is_same_product(model, later);
    prfdata_model_free(model);
    return is_same;
}

/*
 * Find the maps that say which id had which number: the registered maps, or the remembered ones if
 * nothing is registered. They are borrowed from `before` or `former`. Returns false if there are
 * none. Registered maps count only if the current one can be read and its counts continue.
 * Remembered maps count only if they belong to this product.
 */
static bool find_former_maps(const prfdata_registered *before, bool goes_on,
                             const prfdata_former_titles *former, const prfdata_model *later,
                             prfdata_maps *maps)
{
    if (before->values.count > 0) {
        *maps = before->maps;
        return goes_on && before->model;
    }
    return former->maps && prfdata_maps_parse(former->maps, former->maps_size, maps) == 0 &&
           is_of_same_product(maps, later);
}

uint32_t prfdata_numbering_find(const prfdata_registered *before, const prfdata_service_key *key,
                                bool goes_on, const prfdata_model *later,
                                prfdata_title_numbers *numbers)
{
    prfdata_former_titles former = {0};
    prfdata_maps maps;
    bool is_known;
    DWORD first = 0;
    uint32_t status;

    prfdata_former_titles_find(&former, key, before->model);
    is_known = find_former_maps(before, goes_on, &former, later, &maps);
    status = prfdata_title_database_next(former.is_loaded ? &former.range : NULL, &first);
    if (!status)
        status = prfdata_title_numbers_go_on(numbers, is_known ? &maps : NULL,
                                             former.has_range ? former.range.first_counter : 0,
                                             former.range.last_counter, first);
    prfdata_former_titles_free(&former);
    return status;
}
