// Throws a C++ exception through a few frames with destructors, and catches it (test_unload.c).
#include <stdexcept>
#include <string>

extern "C" bool prfdata_test_throw_and_catch(int depth);

namespace
{
int throw_from(int depth)
{
    std::string kept(40, static_cast<char>('a' + depth)); // on the heap, so unwinding must free it

    if (depth == 0)
        throw std::runtime_error(kept);
    return throw_from(depth - 1) + static_cast<int>(kept.size());
}

} // namespace

bool prfdata_test_throw_and_catch(int depth)
{
    try {
        throw_from(depth);
    } catch (const std::runtime_error &error) {
        return std::string(error.what()) == std::string(40, 'a');
    }
    return false;
}
