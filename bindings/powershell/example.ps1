# SPDX-License-Identifier: MIT
# Counts ten jobs of a queue: example.ps1 [map file]
param(
    [string]$Map = (Join-Path $PSScriptRoot '..\queues.prfmap')
)
Import-Module (Join-Path $PSScriptRoot 'PrfData.psm1')

$publisher = Open-PrfData $Map
$publisher.Status
$mail = $publisher.Add('QUEUES', 'mail')
$depth = $mail.Counter('QUEUES_DEPTH')
$jobs = $mail.Counter('QUEUES_JOBS')
$jobTime = $mail.Average('QUEUES_JOB_TIME')
$jobBytes = $mail.Distribution(10)

$depth.Set(13)
foreach ($i in 1..10) {
    $jobTime.Time({ Start-Sleep -Milliseconds 1 })
    $jobs.Increment()
    $depth.Decrement()
    $jobBytes.Record(1000)
}
"jobs $($jobs.Value), depth $($depth.Value)"
[void](Read-Host 'They are shown until you press Enter')
$publisher.Dispose()
