; SPDX-License-Identifier: MIT
; Makes a setup program with NSIS 3: makensis -DVERSION=1.0.0 -DFOLDER=bin queues.nsi
;
; A later version is installed over the earlier one without running its uninstaller. -Install takes over
; the counters, while programs run and readers read.
Unicode true
!include LogicLib.nsh

Name "My Queues ${VERSION}"
OutFile "queues-setup.exe"
InstallDir "$PROGRAMFILES64\My Queues"
RequestExecutionLevel admin

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\My Queues"
Var text

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
    SetRegView 64
    SetShellVarContext all
    SetOutPath $INSTDIR
    ; A running program can be renamed, but not replaced. It gets a unique name, ns....tmp, because a
    ; program of a still earlier version may run, too. Readers use a copy of the DLL, so the DLL is never
    ; in use.
    GetTempFileName $text $INSTDIR
    Delete $text
    Rename "$INSTDIR\queues.exe" $text
    Delete /REBOOTOK $text
    ClearErrors
    File "${FOLDER}/queues.exe"
    File "${FOLDER}/queues_installer.exe"
    File "${FOLDER}/MyServicePrf.dll"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    WriteRegStr HKLM "${UNINSTALL}" DisplayName "My Queues"
    WriteRegStr HKLM "${UNINSTALL}" DisplayVersion ${VERSION}
    WriteRegStr HKLM "${UNINSTALL}" UninstallString '"$INSTDIR\uninstall.exe"'

    ; The list of details shows the installer's output. If your product has services, start them after this
    ; command, so that they publish from their start.
    nsExec::ExecToLog '"$INSTDIR\queues_installer.exe" -Install'
    Pop $text
    ${If} $text != 0
        DetailPrint "The counters are not installed ($text)."
        SetErrorLevel 1
        Abort
    ${EndIf}
SectionEnd

Section Uninstall
    SetRegView 64
    SetShellVarContext all
    nsExec::ExecToLog '"$INSTDIR\queues_installer.exe" -Uninstall'
    Pop $text
    ${If} $text == 4
        DetailPrint "Programs that still publish are named above."
    ${EndIf}
    Delete "$INSTDIR\queues_installer.exe"
    Delete "$INSTDIR\MyServicePrf.dll"
    Delete /REBOOTOK "$INSTDIR\queues.exe"
    Delete /REBOOTOK "$INSTDIR\ns*.tmp"
    Delete "$INSTDIR\uninstall.exe"
    DeleteRegKey HKLM "${UNINSTALL}"
    ; Windows deletes copies of the DLL that readers have loaded, and then this folder, at its next restart.
    RMDir /REBOOTOK $INSTDIR
SectionEnd
