@echo off
rem SPDX-License-Identifier: MIT
rem Tests PrfData on a real Windows, with Windows' own readers.
rem
rem   selftest.cmd [report [x64|x86|arm64 [-RemoteRegistry]]]
rem
rem -RemoteRegistry starts the service Remote Registry for the run, because client versions of Windows
rem disable it.
rem
rem Run this file from an elevated prompt. The programs are in the current folder, in the folder next to
rem this file that has the processor's name, or next to this file. The script registers the counters of
rem the sample, reads them with typeperf, Get-Counter and prfread, and unregisters them. Then
rem prfdata-kit.exe asks this Windows the questions of windows-kit.md and prints one line for each.
rem Everything that was seen is in one file: the given one, or prfdata-selftest.txt next to this file.
rem Please send it back.
rem
rem At the end everything is restored. If you end the script early, "prfdata-kit.exe -Undo" or the next
rem run restores it. A command that takes too long is ended. The script needs Windows 10 or later (also
rem Server Core), about fifteen minutes, and no network.
rem
rem Exit code: 0: all checks passed; 1: some failed; 2: the script could not begin.

setlocal EnableExtensions DisableDelayedExpansion
rem A 32-bit cmd finds the 32-bit programs in System32, so let the 64-bit cmd run this script, once.
if not defined PROCESSOR_ARCHITEW6432 goto native
if defined PRFDATA_NATIVE goto native
set "PRFDATA_NATIVE=1"
"%SystemRoot%\Sysnative\cmd.exe" /d /c call "%~f0" %*
exit /b
:native

set "SYSTEM=%SystemRoot%\System32"
set "PROCESSOR=%PROCESSOR_ARCHITECTURE%"
if /i "%PROCESSOR%"=="AMD64" set "PROCESSOR=x64"
if not "%~2"=="" set "PROCESSOR=%~2"
set "HERE=%CD%"
if not exist "%HERE%\hwinput.exe" set "HERE=%~dp0%PROCESSOR%"
if not exist "%HERE%\hwinput.exe" set "HERE=%~dp0"
if "%HERE:~-1%"=="\" set "HERE=%HERE:~0,-1%"
set "KIT=%HERE%\prfdata-kit.exe"
set "REPORT=%~1"
if not defined REPORT set "REPORT=%~dp0prfdata-selftest.txt"
set "OUTPUTS=%TEMP%\prfdata-selftest-%RANDOM%%RANDOM%"
set "PERFLIB=HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion\Perflib"
set "FILES=hwinput.exe HWInputMonPrf.dll prfread.exe prfcheck.exe installer.exe prfdata-kit.exe"
set "FILES=%FILES% prfdata-kit-probe.dll PrfDataKitPrf.dll prfview.exe"
rem The folder to which "prfdata-kit -Level" copies the sample, so that services can read the sample and
rem users cannot change it.
set "SAMPLE=%ProgramFiles%\PrfDataKitSample"
set "OPTIONS="
if /i "%~3"=="-RemoteRegistry" set "OPTIONS=-RemoteRegistry"
set LIMITER="%KIT%" -Limit 120
set /a STEPS=0
set /a PASSED=0
set /a FAILED=0

rem ---- May we begin? ----

for %%F in (%FILES%) do (
    if not exist "%HERE%\%%F" (
        echo "%HERE%\%%F" is not there: please unpack the whole zip file to a folder of this computer.
        echo If it was there, an antivirus program may have taken it away.
        exit /b 2
    )
)
"%SYSTEM%\fltmc.exe" >nul 2>&1
if errorlevel 1 (
    echo Please run this from an elevated prompt: "Run as administrator".
    exit /b 2
)
"%KIT%" -Limit 20 "%SYSTEM%\cmd.exe" /d /c exit 7 >nul 2>&1
if not "%ERRORLEVEL%"=="7" (
    echo "%KIT%" does not run here. Is it for another processor, or does an antivirus
    echo program or a policy refuse it?
    exit /b 2
)
"%SYSTEM%\tasklist.exe" /fi "imagename eq hwinput.exe" | "%SYSTEM%\find.exe" /i "hwinput.exe" >nul
if not errorlevel 1 (
    echo hwinput.exe is running: please close it first.
    exit /b 2
)
rem Undo what a run left that was ended early.
"%KIT%" -Undo
if errorlevel 1 exit /b 2
"%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Services\HWInputMon" >nul 2>&1
if not errorlevel 1 (
    echo The service HWInputMon is installed already. This test would remove it: run
    echo hwinput -Uninstall first.
    exit /b 2
)

rem A report of this program is replaced, but no other file.
if not exist "%REPORT%" goto unwritten
set "FIRST="
for /f "usebackq delims=" %%L in ("%REPORT%") do if not defined FIRST set "FIRST=%%L"
setlocal EnableDelayedExpansion
set "IS_OWN="
if not defined FIRST for %%F in ("%REPORT%") do if "%%~zF"=="0" set "IS_OWN=1"
if "!FIRST!"=="PrfData self-test" set "IS_OWN=1"
if not defined IS_OWN (
    echo "%REPORT%" is there, and this program did not write it. Name another file.
    exit /b 2
)
endlocal
:unwritten
del "%REPORT%" >nul 2>&1
> "%REPORT%" echo PrfData self-test
if not exist "%REPORT%" (
    echo Cannot write "%REPORT%".
    exit /b 2
)
echo Writing "%REPORT%"
>> "%REPORT%" echo %DATE% %TIME%

rem ---- The machine ----

call :title The machine
call :note "%SYSTEM%\cmd.exe" /d /c ver
call :note "%SYSTEM%\reg.exe" query "HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion" /v ProductName
call :note "%SYSTEM%\reg.exe" query "HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion" /v DisplayVersion
call :note "%SYSTEM%\reg.exe" query "HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion" /v CurrentBuildNumber
call :note "%SYSTEM%\reg.exe" query "HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion" /v UBR
call :note "%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Control\Nls\Language" /v InstallLanguage
call :note "%SYSTEM%\reg.exe" query "%PERFLIB%"
rem Note what may refuse, delay or change what is tested: policies, filters, virus scanners, Fast Startup.
rem VerifiedAndReputablePolicyState is Smart App Control: 0 off, 1 on, 2 evaluating.
call :note "%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Control\CI\Policy" /v VerifiedAndReputablePolicyState
call :note "%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Power" /v HiberbootEnabled
call :note "%SYSTEM%\fltmc.exe" filters
call :note "%SYSTEM%\sc.exe" query WinDefend
call :note "%SYSTEM%\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -Command "Get-MpComputerStatus | Select-Object AMRunningMode, RealTimeProtectionEnabled, IsTamperProtected, SmartAppControlState | Format-List"
>> "%REPORT%" echo Processor: %PROCESSOR_ARCHITECTURE%, programs: %PROCESSOR%
call :note "%SYSTEM%\cmd.exe" /d /c dir "%HERE%\*.exe" "%HERE%\*.dll"
for %%F in (%FILES%) do (
    call :note "%SYSTEM%\certutil.exe" -hashfile "%HERE%\%%F" SHA256
)

rem ---- What readers write down ----

rem Readers read the level when they open a provider, so set it before the first reader starts. The kit
rem records the former level for -Undo.
call :note "%SYSTEM%\reg.exe" query "%PERFLIB%" /v EventLogLevel
call :expect 0 "EventLogLevel is 2" "%KIT%" -Level 2

rem ---- Installing ----

call :title Installing
call :expect 0 "installer -Check" "%SAMPLE%\installer.exe" -Check
set "INSTALL=-Install -Writers Users HWInputMon"
call :expect 0 "installer -Install" "%SAMPLE%\installer.exe" %INSTALL%
call :expect 0 "installer -Install, again" "%SAMPLE%\installer.exe" %INSTALL%
call :contains "unchanged"
call :expect 0 "lodctr knows the service" "%SYSTEM%\lodctr.exe" /Q:HWInputMon
call :contains "HWInputMon"
call :expect 0 "installer -Status finds nothing wrong" "%SAMPLE%\installer.exe" -Status HWInputMon
call :note "%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Services\HWInputMon" /s
call :note "%SYSTEM%\icacls.exe" "%ProgramData%\PrfData" /t
call :expect 0 "typeperf lists the object" "%SYSTEM%\typeperf.exe" -q "Hardware Input"
call :contains "Keystrokes/sec"

rem ---- Before the program runs ----

call :title Nothing is published yet
call :note "%SYSTEM%\typeperf.exe" "\Hardware Input\Keystrokes" "\Mouse Clicks(_Total)\Clicks" -sc 1
call :note "%HERE%\prfread.exe" "\Hardware Input\Keystrokes" "\Mouse Clicks(_Total)\Clicks" -sc 1

rem ---- Running ----

call :title The program runs
start "" "%SAMPLE%\hwinput.exe"
call :wait 3
call :expect 0 "typeperf reads values" "%SYSTEM%\typeperf.exe" "\Hardware Input\*" "\Mouse Clicks(*)\*" -sc 3
call :contains "Mouse Clicks(Left)"
call :contains "Mouse Clicks(_Total)"
call :expect 0 "prfread reads values" "%HERE%\prfread.exe" "\Hardware Input\*" "\Mouse Clicks(*)\*" -sc 3
call :contains "Mouse Clicks(Left)"
call :contains "Mouse Clicks(_Total)"
call :expect 0 "typeperf lists instances" "%SYSTEM%\typeperf.exe" -qx "Mouse Clicks"
call :contains "(Middle)"
call :expect 0 "Get-Counter reads values" "%SYSTEM%\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -Command "Get-Counter '\Hardware Input\Keystrokes','\Mouse Clicks(*)\Clicks' -ErrorAction Stop | Format-List"
call :contains "keystrokes"
call :note "%SYSTEM%\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -Command "$shell = New-Object -ComObject WScript.Shell; 1..10 | ForEach-Object { $shell.SendKeys('{NUMLOCK}') }"
call :note "%SYSTEM%\typeperf.exe" "\Hardware Input\*" -sc 2
call :note "%SYSTEM%\WindowsPowerShell\v1.0\powershell.exe" -NoProfile -Command "Get-CimInstance -Query 'select * from meta_class' | Where-Object Name -like '*HWInputMon*' | Format-Table -AutoSize"
if exist "%SystemRoot%\SysWOW64\typeperf.exe" (
    call :note "%SystemRoot%\SysWOW64\typeperf.exe" "\Hardware Input\*" -sc 1
)
call :note "%SYSTEM%\cmd.exe" /d /c dir "%ProgramData%\PrfData\HWInputMon"

rem ---- The program ended ----

call :title The program ended
call :expect 0 "hwinput closes when asked" "%SYSTEM%\taskkill.exe" /im hwinput.exe
call :wait 3
call :note "%SYSTEM%\taskkill.exe" /f /im hwinput.exe
call :expect 0 "its counts stay" "%SYSTEM%\typeperf.exe" "\Hardware Input\Keystrokes" "\Mouse Clicks(_Total)\Clicks" -sc 1
call :note "%HERE%\prfread.exe" "\Hardware Input\*" "\Mouse Clicks(*)\*" -sc 1

rem Ask now, because the events have no texts without their source, which is still registered.
call :title What readers wrote down, last ten minutes
call :note "%SYSTEM%\wevtutil.exe" qe Application /c:60 /rd:true /f:text "/q:*[System[Provider[@Name='PrfData HWInputMon'] and TimeCreated[timediff(@SystemTime) <= 600000]]]"

rem ---- Uninstalling ----

call :title Uninstalling
call :expect 0 "hwinput -Uninstall" "%SAMPLE%\hwinput.exe" -Uninstall
call :expect 5 "hwinput -Uninstall, again" "%SAMPLE%\hwinput.exe" -Uninstall
call :expect 1 "the service key is gone" "%SYSTEM%\reg.exe" query "HKLM\SYSTEM\CurrentControlSet\Services\HWInputMon"
call :note "%SYSTEM%\lodctr.exe" /Q:HWInputMon
call :note "%SYSTEM%\reg.exe" query "%PERFLIB%" /v "Last Counter"
call :note "%SYSTEM%\cmd.exe" /d /c dir "%ProgramData%\PrfData"

rem ---- The questions ----

rem The kit undoes its changes, even after Ctrl+C, and has its own time limits.
call :title The questions of windows-kit.md
set "LIMITER="
echo Asking, one line each; this takes some minutes.
call :expect 0 "the kit's questions" "%KIT%" -Ask %OPTIONS%
set "ANSWERS=%OUTPUT%"
call :expect 0 "the kit leaves nothing" "%KIT%" -Undo
set LIMITER="%KIT%" -Limit 120

rem ---- What Windows wrote down ----

call :title The event log, last fifteen minutes
call :note "%SYSTEM%\wevtutil.exe" qe Application /c:60 /rd:true /f:text "/q:*[System[Provider[@Name='Microsoft-Windows-Perflib' or @Name='Microsoft-Windows-LoadPerf' or @Name='Microsoft-Windows-PerfHost' or @Name='PrfData HWInputMon'] and TimeCreated[timediff(@SystemTime) <= 900000]]]"

call :title The level of the event log, as before
call :note "%SYSTEM%\reg.exe" query "%PERFLIB%" /v EventLogLevel

rem ---- The end, for people ----

call :title Result
>> "%REPORT%" echo %PASSED% passed, %FAILED% failed
type "%OUTPUTS%-failed.txt" >> "%REPORT%" 2>nul
call :page
del "%OUTPUTS%-*.txt" >nul 2>&1
echo %PASSED% passed, %FAILED% failed. Please send back "%REPORT%".
if %FAILED% gtr 0 exit /b 1
exit /b 0

rem ---- Steps ----

:title
>> "%REPORT%" echo.
>> "%REPORT%" echo ==== %*
exit /b 0

rem :note command...: run the command and report its output and exit code. No check depends on them.
:note
>> "%REPORT%" echo.
>> "%REPORT%" echo ^> %*
call :next_output
%LIMITER% %* > "%OUTPUT%" 2>&1 < nul
set "CODE=%ERRORLEVEL%"
type "%OUTPUT%" >> "%REPORT%" 2>nul
>> "%REPORT%" echo [exit code %CODE%]
exit /b 0

rem :expect code "what" command...: do the same, and check that the exit code is `code`.
:expect
set "WANTED=%~1"
set "WHAT=%~2"
set "COMMAND="
shift
shift
rem %* does not shift, so collect the other arguments with their quotes.
:collect
if "%~1"=="" goto collected
set COMMAND=%COMMAND% %1
shift
goto collect
:collected
>> "%REPORT%" echo.
>> "%REPORT%" echo ^> %COMMAND%
call :next_output
%LIMITER% %COMMAND% > "%OUTPUT%" 2>&1 < nul
set "CODE=%ERRORLEVEL%"
type "%OUTPUT%" >> "%REPORT%" 2>nul
>> "%REPORT%" echo [exit code %CODE%]
if "%CODE%"=="%WANTED%" (call :pass) else (call :fail "exit code %CODE%, expected %WANTED%")
exit /b 0

rem :contains "text": check that the output of the last command has the text, ignoring case.
:contains
set "WHAT=... and says %~1"
"%SYSTEM%\find.exe" /i "%~1" "%OUTPUT%" >nul 2>&1
if errorlevel 1 (call :fail "not found") else (call :pass)
exit /b 0

:pass
set /a PASSED+=1
echo   passed  %WHAT%
>> "%REPORT%" echo [passed] %WHAT%
exit /b 0

:fail
set /a FAILED+=1
echo   FAILED  %WHAT%: %~1
>> "%REPORT%" echo [FAILED] %WHAT%: %~1
>> "%OUTPUTS%-failed.txt" echo   FAILED  %WHAT%: %~1
exit /b 0

rem :page: copy the last page of %ANSWERS%, the output of the kit, to the report. The page says what was
rem promised and what was seen.
:page
set "IN_PAGE="
>> "%REPORT%" echo.
for /f "usebackq delims=" %%L in ("%ANSWERS%") do (
    if "%%L"=="What PrfData promises, and what was seen here" set "IN_PAGE=1"
    if defined IN_PAGE >> "%REPORT%" echo %%L
)
if not defined IN_PAGE >> "%REPORT%" echo The kit has ended without its last page.
exit /b 0

rem Each command has its own file, because what a command started may still hold the file.
:next_output
set /a STEPS+=1
set "OUTPUT=%OUTPUTS%-%STEPS%.txt"
exit /b 0

rem :wait seconds: wait by ping.exe, because timeout.exe refuses redirected input.
:wait
set /a PINGS=%~1 + 1
"%SYSTEM%\ping.exe" -n %PINGS% 127.0.0.1 >nul
exit /b 0
