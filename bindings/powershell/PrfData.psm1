# SPDX-License-Identifier: MIT
# Publishes the performance counters of a map file from a PowerShell script, by prfdata.dll.
#
#     Import-Module .\PrfData.psm1
#     $publisher = Open-PrfData queues.prfmap
#     $jobs = $publisher.Add('QUEUES', 'mail').Counter('QUEUES_JOBS')
#     $jobs.Increment()
#
# The classes are those of PrfData.cs, which is next to this file or, as in the repository, in the
# folder csharp. prfdata.dll is next to this file.
Set-StrictMode -Version 3

$native = Add-Type -PassThru -Namespace PrfDataModule -Name Loader -MemberDefinition @'
[DllImport("kernel32", CharSet = CharSet.Unicode, SetLastError = true)]
public static extern IntPtr LoadLibraryW(string path);
'@
$library = Join-Path $PSScriptRoot 'prfdata.dll'
if (-not (Test-Path $library)) {
    throw "prfdata: $library is missing. Put it there, for the bitness of this PowerShell."
}
# Load the DLL by its full path, so that P/Invoke finds it by its name.
if ($native::LoadLibraryW($library) -eq [IntPtr]::Zero) {
    $code = [Runtime.InteropServices.Marshal]::GetLastWin32Error()
    throw "prfdata: $library cannot be loaded (error $code). It must be for the bitness of this PowerShell."
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
    Fails only if prfdata.dll is missing or has another version. If readers do not see the counters,
    the properties Error and Status of the result say why.
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
