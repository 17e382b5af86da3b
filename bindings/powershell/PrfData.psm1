# SPDX-License-Identifier: MIT
# Performance counters for PowerShell scripts: what a map file declares, published by prfdata.dll.
#
#     Import-Module .\PrfData.psm1
#     $publisher = Open-PrfData queues.prfmap
#     $jobs = $publisher.Add('QUEUES', 'mail').Counter('QUEUES_JOBS')
#     $jobs.Increment()
#
# The classes are those of PrfData.cs, which lies beside this file or, as in the repository, in the
# folder csharp; prfdata.dll lies beside it too, or where the system looks for DLLs.
Set-StrictMode -Version 3

$native = Add-Type -PassThru -Namespace PrfDataModule -Name Loader -MemberDefinition @'
[DllImport("kernel32", CharSet = CharSet.Unicode, SetLastError = true)]
public static extern IntPtr LoadLibraryW(string path);
'@
$library = Join-Path $PSScriptRoot 'prfdata.dll'
if (Test-Path $library) {
    # Once loaded, P/Invoke finds it by its name.
    [void]$native::LoadLibraryW($library)
}

$source = Join-Path $PSScriptRoot 'PrfData.cs'
if (-not (Test-Path $source)) {
    $source = Join-Path $PSScriptRoot '..\csharp\PrfData.cs'
}
if ($PSVersionTable.PSVersion.Major -ge 6) {
    Add-Type -Path $source -CompilerOptions '-unsafe'
}
else {
    $parameters = New-Object System.CodeDom.Compiler.CompilerParameters
    $parameters.CompilerOptions = '/unsafe'
    Add-Type -Path $source -CompilerParameters $parameters
}

function Open-PrfData {
    <#
    .SYNOPSIS
    Publishes the counters of a map file.
    .DESCRIPTION
    An error is only that prfdata.dll is missing, or another version of it there. Why readers do not
    see the counters is in the properties Error and Status of what it returns.
    #>
    [CmdletBinding()]
    [OutputType([PrfData.Publisher])]
    param(
        [Parameter(Mandatory)]
        [string]$Path
    )
    [PrfData.Publisher]::Open($PSCmdlet.GetUnresolvedProviderPathFromPSPath($Path))
}

Export-ModuleMember -Function Open-PrfData
