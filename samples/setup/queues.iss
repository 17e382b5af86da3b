; SPDX-License-Identifier: MIT
; Makes a setup program with Inno Setup 6: iscc /DVersion=1.0.0 /DFolder=bin queues.iss
;
; A later version with the same AppId is installed over the earlier one without running its uninstaller.
; -Install takes over the counters, while programs run and readers read.
;
; x64os excludes Windows on ARM64, whose readers cannot load the DLL, because they are not x64 programs
; (jrsoftware.org/ishelp/topic_archidentifiers.htm; before Inno Setup 6.3 it is called x64).
; CloseApplications is no, because a silent setup would otherwise end running programs
; (jrsoftware.org/ishelp/topic_setup_closeapplications.htm).
[Setup]
AppId=MyCompanyMyQueues
AppName=My Queues
AppVersion={#Version}
DefaultDirName={autopf}\My Queues
ArchitecturesAllowed=x64os
ArchitecturesInstallIn64BitMode=x64os
CloseApplications=no
PrivilegesRequired=admin
OutputBaseFilename=queues-setup

[Files]
; A running program is replaced at the next start of Windows. Readers use a copy of the DLL, so the DLL
; is never in use.
Source: "{#Folder}\queues.exe"; DestDir: "{app}"; Flags: ignoreversion restartreplace uninsrestartdelete
Source: "{#Folder}\queues_installer.exe"; DestDir: "{app}"; Flags: ignoreversion
Source: "{#Folder}\MyServicePrf.dll"; DestDir: "{app}"; Flags: ignoreversion

[UninstallRun]
Filename: "{app}\queues_installer.exe"; Parameters: "-Uninstall"; Flags: runhidden waituntilterminated; RunOnceId: "Counters"

[Code]
var
  CountersFailed: Boolean;

{ This is not in [Run], because [Run] ignores exit codes. Start services after -Install. }
procedure CurStepChanged(CurStep: TSetupStep);
var
  Code: Integer;
begin
  if CurStep <> ssPostInstall then
    Exit;
  if not Exec(ExpandConstant('{app}\queues_installer.exe'), '-Install', '', SW_HIDE, ewWaitUntilTerminated, Code) or
    (Code <> 0) then
  begin
    CountersFailed := True;
    SuppressibleMsgBox('The counters are not installed. Run queues_installer -Install from an elevated prompt; it says why.',
      mbError, MB_OK, IDOK);
  end;
end;

{ At this step Inno Setup undoes nothing, but the program that started the setup sees the failure. }
function GetCustomSetupExitCode: Integer;
begin
  if CountersFailed then
    Result := 1
  else
    Result := 0;
end;
