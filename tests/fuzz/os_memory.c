/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200112L /* posix_memalign */

#include "os_memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <malloc.h>
#endif

#include "fuzz.h"
#include "map/maps.h"
#include "system/os_listing.h"

enum { MAX_FILES = 64, MAX_SETTINGS = 8, ALIGNMENT = 64 };

/* The content that a file's name and its views share. */
typedef struct os_memory_storage {
    struct os_memory_storage *next;
    unsigned references;
    uint64_t size;
    uint8_t *bytes; /* NULL if the file is empty */
} os_memory_storage;

typedef struct memory_file {
    prfdata_os_name name;
    os_memory_storage *content;
    bool is_owned;
    bool is_denied;
} memory_file;

typedef struct setting {
    const char *name;
    void *bytes; /* NULL: the value is a number */
    size_t size;
    uint32_t number;
} setting;

static struct {
    memory_file files[MAX_FILES];
    size_t count;
} folder, frozen;

static uint8_t *frozen_bytes[MAX_FILES];
static os_memory_storage *contents; /* all contents that exist */
static setting settings[MAX_SETTINGS];
static size_t setting_count;
static uint64_t settings_stamp;
static uint32_t process_id = 1;
static uint64_t boot = 1;
static uint32_t random_series;
static uint32_t random_count;
static uint64_t now;
static os_memory_hook *guard_hook;
static void *guard_context;

/* ---- Contents ---- */

static os_memory_storage *make_storage(uint64_t size)
{
    os_memory_storage *made = fuzz_memory(sizeof *made);
    void *bytes = NULL;

#ifdef _WIN32
    if (size > 0)
        bytes = _aligned_malloc((size_t)size, ALIGNMENT);
#else
    if (size > 0 && posix_memalign(&bytes, ALIGNMENT, (size_t)size))
        bytes = NULL;
#endif
    FUZZ_CHECK(size == 0 || bytes != NULL);
    if (size > 0)
        memset(bytes, 0, (size_t)size);
    made->next = contents;
    made->references = 1;
    made->size = size;
    made->bytes = bytes;
    contents = made;
    return made;
}

static void release(os_memory_storage *content)
{
    os_memory_storage **link = &contents;

    if (--content->references > 0)
        return;
    while (*link != content)
        link = &(*link)->next;
    *link = content->next;
#ifdef _WIN32
    _aligned_free(content->bytes);
#else
    free(content->bytes);
#endif
    free(content);
}

static os_memory_storage *storage_of(const uint8_t *bytes)
{
    os_memory_storage *found = contents;

    while (found->bytes != bytes)
        found = found->next;
    return found;
}

/* ---- Files ---- */

static memory_file *find(const char *name)
{
    for (size_t i = 0; i < folder.count; i++)
        if (!strcmp(folder.files[i].name.text, name))
            return &folder.files[i];
    return NULL;
}

static memory_file *add_file(const char *name, os_memory_storage *content, bool is_owned)
{
    memory_file *added = &folder.files[folder.count];

    FUZZ_CHECK(folder.count < MAX_FILES && strlen(name) < sizeof added->name.text);
    memset(added, 0, sizeof *added);
    memcpy(added->name.text, name, strlen(name));
    added->content = content;
    added->is_owned = is_owned;
    folder.count++;
    return added;
}

void os_memory_remove_file(const char *name)
{
    memory_file *removed = find(name);

    if (!removed)
        return;
    release(removed->content);
    *removed = folder.files[--folder.count];
}

uint8_t *os_memory_put_file(const char *name, uint64_t size, bool is_owned)
{
    os_memory_remove_file(name);
    return add_file(name, make_storage(size), is_owned)->content->bytes;
}

uint8_t *os_memory_file(const char *name, uint64_t *size)
{
    memory_file *found = find(name);

    *size = found ? found->content->size : 0;
    return found ? found->content->bytes : NULL;
}

void os_memory_set_owned(const char *name, bool is_owned)
{
    find(name)->is_owned = is_owned;
}

void os_memory_deny(const char *name, bool is_denied)
{
    find(name)->is_denied = is_denied;
}

/* ---- Freezing ---- */

static void forget_frozen(void)
{
    for (size_t i = 0; i < frozen.count; i++) {
        release(frozen.files[i].content);
        free(frozen_bytes[i]);
    }
    frozen.count = 0;
}

void os_memory_freeze(void)
{
    forget_frozen();
    frozen = folder;
    for (size_t i = 0; i < frozen.count; i++) {
        os_memory_storage *content = frozen.files[i].content;

        content->references++;
        frozen_bytes[i] = fuzz_memory((size_t)content->size);
        if (content->size)
            memcpy(frozen_bytes[i], content->bytes, (size_t)content->size);
    }
}

void os_memory_thaw(void)
{
    for (size_t i = folder.count; i-- > 0;) {
        bool was_there = false;

        for (size_t j = 0; j < frozen.count; j++)
            was_there |= !strcmp(folder.files[i].name.text, frozen.files[j].name.text);
        if (!was_there)
            os_memory_remove_file(folder.files[i].name.text);
    }
    for (size_t i = 0; i < frozen.count; i++) {
        os_memory_storage *content = frozen.files[i].content;

        if (content->size)
            memcpy(content->bytes, frozen_bytes[i], (size_t)content->size);
        if (!find(frozen.files[i].name.text)) {
            content->references++;
            add_file(frozen.files[i].name.text, content, false);
        }
    }
    forget_frozen();
}

/* ---- Settings ---- */

void os_memory_empty_folder(void)
{
    forget_frozen();
    while (folder.count > 0)
        os_memory_remove_file(folder.files[0].name.text);
}

static setting *find_setting(const char *name)
{
    for (size_t i = 0; i < setting_count; i++)
        if (!strcmp(settings[i].name, name))
            return &settings[i];
    return NULL;
}

static setting *set(const char *name)
{
    setting *found = find_setting(name);

    FUZZ_CHECK(found || setting_count < MAX_SETTINGS);
    if (!found)
        found = &settings[setting_count++];
    else
        free(found->bytes);
    memset(found, 0, sizeof *found);
    found->name = name;
    return found;
}

void os_memory_set_bytes(const char *name, const void *bytes, size_t size)
{
    setting *changed = set(name);

    settings_stamp++;
    changed->bytes = fuzz_memory(size);
    changed->size = size;
    memcpy(changed->bytes, bytes, size);
}

void os_memory_set_number(const char *name, uint32_t value)
{
    settings_stamp++;
    set(name)->number = value;
}

void os_memory_install(prfdata_model *model, uint32_t first_counter)
{
    uint32_t dropped;
    void *bytes;
    size_t size;

    FUZZ_CHECK(!prfdata_maps_update(model, NULL, 0, NULL, &bytes, &size, &dropped));
    os_memory_set_bytes("Maps", bytes, size);
    free(bytes);
    os_memory_set_number("First Counter", first_counter);
    os_memory_set_number("First Help", first_counter + 1);
}

void os_memory_set_process_id(uint32_t id)
{
    process_id = id;
}

void os_memory_set_boot(uint64_t value)
{
    boot = value;
}

void os_memory_set_random(uint32_t series)
{
    random_series = series;
    random_count = 0;
}

void os_memory_set_hook(os_memory_hook *hook, void *context)
{
    guard_hook = hook;
    guard_context = context;
}

/* ---- os.h ---- */

uint64_t prfdata_os_ticks(void)
{
    return ++now;
}

uint64_t prfdata_os_ticks_per_second(void)
{
    return 10000000;
}

uint64_t prfdata_os_milliseconds(void)
{
    return ++now;
}

void prfdata_os_sleep(uint32_t milliseconds)
{
    now += milliseconds;
}

uint32_t prfdata_os_process_id(void)
{
    return process_id;
}

uint64_t prfdata_os_random(void)
{
    /* The factor is odd, so no two results are equal. */
    return (uint64_t)(uint32_t)(++random_count * 0x9E3779B9u) << 32 | random_series;
}

uint64_t prfdata_os_boot(void)
{
    return boot;
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    FUZZ_CHECK(!lock->word); /* otherwise the only thread would wait for itself */
#ifdef _WIN32
    lock->word = lock;
#else
    lock->word = 1;
#endif
}

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    if (lock->word)
        return false;
    prfdata_os_lock_enter(lock);
    return true;
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    FUZZ_CHECK(lock->word);
    lock->word = 0;
}

uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context)
{
    call(context);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_setting_number(const char *service, const char *name, uint32_t *value)
{
    const setting *found = find_setting(name);

    (void)service;
    if (!found)
        return ERROR_FILE_NOT_FOUND;
    if (found->bytes)
        return ERROR_INVALID_DATA;
    *value = found->number;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_setting_bytes(const char *service, const char *name, size_t limit, void **bytes,
                                  size_t *size)
{
    const setting *found = find_setting(name);

    (void)service;
    if (!found)
        return ERROR_FILE_NOT_FOUND;
    if (!found->bytes || found->size > limit)
        return ERROR_INVALID_DATA;
    *bytes = fuzz_memory(found->size);
    *size = found->size;
    memcpy(*bytes, found->bytes, found->size);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_setting_folder(const char *service, size_t limit, void **bytes, size_t *size)
{
    return prfdata_os_setting_bytes(service, "Regions", limit, bytes, size);
}

uint32_t prfdata_os_settings_stamp(const char *service, uint64_t *stamp)
{
    (void)service;
    *stamp = settings_stamp;
    return ERROR_SUCCESS;
}

/* There is only one folder, so nobody reads what *directory points to. But *directory must
 * not be NULL. */
uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory)
{
    (void)service;
    *directory = (prfdata_os_directory *)&folder;
    return ERROR_SUCCESS;
}

void prfdata_os_directory_close(prfdata_os_directory *directory)
{
    (void)directory;
}

static void list_names(prfdata_os_listing *listing, size_t *count, bool *more)
{
    for (size_t i = 0; i < folder.count; i++)
        if (!prfdata_os_listing_look(listing, folder.files[i].name.text,
                                     strlen(folder.files[i].name.text)))
            break;
    prfdata_os_listing_finish(listing, count, more);
}

uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t its_boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more)
{
    prfdata_os_listing listing;

    (void)directory;
    prfdata_os_listing_init(&listing, its_boot, false, names, capacity);
    list_names(&listing, count, more);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t its_boot,
                                        uint64_t *position, prfdata_os_name *names, size_t capacity,
                                        size_t *count)
{
    prfdata_os_listing listing;
    bool more;

    (void)directory;
    prfdata_os_listing_init_part(&listing, its_boot, names, capacity);
    list_names(&listing, count, &more);
    *position = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t its_boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    prfdata_os_listing listing;

    (void)directory;
    prfdata_os_listing_init(&listing, its_boot, true, names, capacity);
    list_names(&listing, count, more);
    return ERROR_SUCCESS;
}

static void forget(prfdata_os_region *region)
{
    const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    *region = none;
}

/* Make a view of the file. */
static void view(const memory_file *viewed, bool is_owner, prfdata_os_region *region)
{
    viewed->content->references++;
    region->bytes = viewed->content->bytes;
    region->size = viewed->content->size;
    region->owner = is_owner ? 1 : -1;
    memset(&region->file_id, 0, sizeof region->file_id);
    memset(&region->account, 0, sizeof region->account);
    if (!is_owner)
        region->file_id.file[0] = (uintptr_t)viewed->content;
}

uint32_t prfdata_os_region_create(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t size, prfdata_os_region *region)
{
    (void)directory;
    if (find(name->text))
        return ERROR_FILE_EXISTS;
    if (folder.count == MAX_FILES)
        return ERROR_DISK_FULL;
    view(add_file(name->text, make_storage(size), true), true, region);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_os_region *region)
{
    memory_file *taken = find(name->text);

    (void)directory;
    if (!taken)
        return ERROR_FILE_NOT_FOUND;
    if (taken->is_denied)
        return ERROR_ACCESS_DENIED;
    if (taken->is_owned)
        return ERROR_SHARING_VIOLATION;
    /* An empty file gets no owner, because a file without a view could not be found again when the
     * owner closes it. */
    if (taken->content->size == 0) {
        forget(region);
        return ERROR_SUCCESS;
    }
    taken->is_owned = true;
    view(taken, true, region);
    return ERROR_SUCCESS;
}

void prfdata_os_region_close(prfdata_os_region *region)
{
    if (region->bytes) {
        os_memory_storage *content = storage_of(region->bytes);

        for (size_t i = 0; i < folder.count && region->owner != -1; i++)
            if (folder.files[i].content == content)
                folder.files[i].is_owned = false;
        release(content);
    }
    forget(region);
}

void prfdata_os_region_delete(prfdata_os_directory *directory, const prfdata_os_name *name,
                              prfdata_os_region *region)
{
    (void)directory;
    prfdata_os_region_close(region);
    os_memory_remove_file(name->text);
}

uint32_t prfdata_os_region_remove(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    const memory_file *removed = find(name->text);

    (void)directory;
    if (!removed)
        return ERROR_FILE_NOT_FOUND;
    if (removed->is_denied)
        return ERROR_ACCESS_DENIED;
    if (removed->is_owned)
        return ERROR_SHARING_VIOLATION;
    os_memory_remove_file(name->text);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_region_attach(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t limit, prfdata_os_region *region)
{
    const memory_file *attached = find(name->text);

    (void)directory;
    if (!attached)
        return ERROR_FILE_NOT_FOUND;
    if (attached->is_denied)
        return ERROR_ACCESS_DENIED;
    if (attached->content->size == 0 || attached->content->size > limit)
        return ERROR_INVALID_DATA;
    view(attached, false, region);
    return ERROR_SUCCESS;
}

/* All files belong to one account. */
bool prfdata_os_account_is_own(const prfdata_os_account *account)
{
    (void)account;
    return true;
}

void prfdata_os_account_write(const prfdata_os_account *account, char *text)
{
    (void)account;
    strcpy(text, "?");
}

uint32_t prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                void *head, size_t head_bytes, prfdata_os_account *account)
{
    const memory_file *file = find(name->text);

    (void)directory;
    if (!file)
        return ERROR_FILE_NOT_FOUND;
    if (file->is_denied)
        return ERROR_ACCESS_DENIED;
    memset(head, 0, head_bytes);
    memcpy(head, file->content->bytes,
           file->content->size < head_bytes ? (size_t)file->content->size : head_bytes);
    memset(account, 0, sizeof *account);
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_region_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const prfdata_os_region *view, bool *alive)
{
    const memory_file *probed = find(name->text);

    (void)directory;
    if (!probed || (view && probed->content->bytes != view->bytes))
        return ERROR_FILE_NOT_FOUND;
    if (probed->is_denied)
        return ERROR_ACCESS_DENIED;
    *alive = probed->is_owned;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_region_probe_owned(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       const prfdata_os_region *view, bool *alive)
{
    return prfdata_os_region_probe(directory, name, view, alive);
}

bool prfdata_os_guarded(const prfdata_os_region *region, void (*read)(void *context), void *context)
{
    if (guard_hook && !guard_hook(guard_context, region->bytes, region->size))
        return false;
    read(context);
    return true;
}
