# SPDX-License-Identifier: MIT
# What tests/scripts/60-bitness.sh builds twice, to let programs of both bitnesses meet.
if(WIN32)
    include(PrfDataService)
    add_executable(bitness-writer bitness/writer.c bitness/bitness_map.c)
    target_link_libraries(bitness-writer PRIVATE prfdata::client)
    if(MINGW)
        target_link_options(bitness-writer PRIVATE -municode)
    endif()
    prfdata_add_provider(bitness_provider SERVICE PrfDataBitness)
    prfdata_add_installer(bitness_installer OUTPUT_NAME bitness-installer
        MAPS bitness/bitness_map.c)
endif()
