// SPDX-License-Identifier: MIT
// Reads a list in SPDX with the library of the SPDX project, and checks that all identifiers in its
// relationships exist. spdx-check builds it.
package main

import (
	"fmt"
	"os"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
	"github.com/spdx/tools-golang/utils"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"
)

func check(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	document, err := json.Read(file)
	if err != nil {
		return err
	}
	if err := spdxlib.ValidateDocument(document); err != nil {
		return err
	}
	files := []*v2_3.File{}
	for _, one := range document.Files {
		files = append(files, one)
	}
	code, err := utils.GetVerificationCode(files, "")
	if err != nil {
		return err
	}
	said := document.Packages[0].PackageVerificationCode
	if said == nil || said.Value != code.Value {
		return fmt.Errorf("the verification code is %v, not %v", said, code.Value)
	}
	fmt.Println(document.SPDXVersion, len(document.Packages), "packages", len(document.Files), "files",
		len(document.Relationships), "relationships")
	return nil
}

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
