/* SPDX-License-Identifier: MIT */
/* Runs the control that is the content of PerfMon's window. It has no command line, so PowerShell
 * hosts it in a window outside of the screen. Source: "System Monitor"
 * (learn.microsoft.com/windows/win32/sysmon), "AxHost class". */
#include "kit.h"

#include <wchar.h>

int kit_run_sysmon(kit *k, char *output, size_t capacity, const wchar_t *path)
{
    wchar_t powershell[MAX_PATH], control[MAX_PATH];

    output[0] = 0;
    if (!kit_find_tool(L"sysmon.ocx", control) ||
        !kit_find_tool(L"WindowsPowerShell\\v1.0\\powershell.exe", powershell))
        return KIT_RUN_ABSENT;
    return kit_run(
        k, 120, output, capacity,
        L"\"%ls\" -NoProfile -NonInteractive -STA -Command \"$ErrorActionPreference = 'Stop'; "
        L"Add-Type -AssemblyName System.Windows.Forms; "
        L"Add-Type -ReferencedAssemblies System.Windows.Forms, System.Drawing 'public class "
        L"KitControl : System.Windows.Forms.AxHost { public KitControl(string id) : base(id) { } "
        L"}'; "
        L"$control = New-Object KitControl 'C4D2D8E0-D1DD-11CE-940F-008029004347'; "
        L"$form = New-Object System.Windows.Forms.Form; $form.StartPosition = 'Manual'; "
        L"$form.Left = -4000; $form.ShowInTaskbar = $false; $form.Controls.Add($control); "
        L"$form.Show(); $monitor = $control.GetOcx(); $monitor.ManualUpdate = $true; "
        L"[void]$monitor.Counters.Add('%ls'); "
        L"1..3 | ForEach-Object { $monitor.CollectSample(); Start-Sleep 1 }; "
        L"$monitor.Counters.Item(1).Value.ToString([cultureinfo]::InvariantCulture); "
        L"$form.Close()\"",
        powershell, path);
}
