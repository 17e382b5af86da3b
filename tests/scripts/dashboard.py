# SPDX-License-Identifier: MIT
"""Asks a Prometheus about the files that -Emit wrote. 57-prometheus.sh runs this.

    dashboard.py panels URL DASHBOARD.json   every query of every panel has an answer
    dashboard.py alerts RULES.yml            promtool runs the alert on a missing object
    dashboard.py rules URL RULES.yml         every rule is loaded and healthy, the series of rules
                                             and alerts exist, and no alert fires

A wrong name makes a query that finds nothing. That is a failure here, because Prometheus does not
complain.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request

import yaml

# In place of Grafana, this test replaces the variables of a dashboard by these texts.
CHOSEN = {"$prfdata_job": ".+", "$prfdata_instance": ".+", "$__rate_interval": "1m"}


def ask(url, path, **parameters):
    """Return the data of an answer of Prometheus' API."""
    query = urllib.parse.urlencode(parameters)
    with urllib.request.urlopen(f"{url}/api/v1/{path}?{query}", timeout=30) as answer:
        said = json.load(answer)
    assert said["status"] == "success", said
    return said["data"]


def lacks_answer(url, expression):
    """Return whether nothing answers an expression."""
    return not ask(url, "query", query=expression)["result"]


def expressions_of(dashboard):
    """Return the queries of a dashboard as Grafana sends them."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            expression = target["expr"]
            for name, value in CHOSEN.items():
                expression = expression.replace(name, value)
            assert "$" not in expression, expression
            yield expression


def check_panels(url, path):
    """Print how many queries have an answer. If some have none, exit with a message that lists them."""
    with open(path, encoding="utf-8") as file:
        expressions = list(expressions_of(json.load(file)))
    assert expressions, "the dashboard asks nothing"
    empty = [each for each in expressions if lacks_answer(url, each)]
    if empty:
        sys.exit("nothing answers " + "\n".join(empty))
    print(f"{len(expressions)} queries answered")


def check_rules(url, path):
    """Check that all rules are loaded and healthy, that their series exist, and that no alert fires."""
    with open(path, encoding="utf-8") as file:
        written = [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]
    loaded = [rule for group in ask(url, "rules")["groups"] for rule in group["rules"]]
    wrong = [rule for rule in loaded if rule["health"] != "ok" or rule.get("lastError")]
    assert len(loaded) == len(written) and written, (len(loaded), len(written))
    for rule in written:
        expression = rule.get("record") or re.sub(r" (==|>) \d+( or absent\(.*\))?$", "", rule["expr"])
        if lacks_answer(url, f'{{__name__="{expression}"}}' if "record" in rule else expression):
            wrong.append(expression)
    firing = [rule["name"] for rule in loaded if rule["type"] == "alerting" and rule["alerts"]]
    if wrong or firing:
        sys.exit(f"{wrong}; alerts: {firing}")
    print(f"{len(written)} rules work")


def case_of(series, expected):
    """Return a case for promtool: series, and the alerts that must fire after 20 minutes."""
    return {
        "interval": "1m",
        "input_series": [{"series": f"prfread_object_up{{object={json.dumps(name)},instance='{where}'}}",
                          "values": values} for (name, where), values in series.items()],
        "alert_rule_test": [{"eval_time": "20m", "alertname": "PrfDataObjectMissing",
                             "exp_alerts": expected}],
    }


def alert_of(rule, where):
    """Return the alert that must fire for a rule."""
    name = rule["labels"]["object"]
    missing = f"{where} does not show {name}" if where else f"No computer shows {name}"
    return {"exp_labels": {**rule["labels"], **({"instance": where} if where else {})},
            "exp_annotations": {**rule["annotations"], "summary": missing}}


def check_alerts(path):
    """Let promtool run the alert while an object is missing on one of two computers, on both, or on none."""
    with open(path, encoding="utf-8") as file:
        rules = [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]
                 if rule.get("alert") == "PrfDataObjectMissing"]
    assert len(rules) > 1, rules
    names = [rule["labels"]["object"] for rule in rules]
    there = {(name, where): "1x30" for name in names for where in ("a", "b")}
    cases = [case_of(there, []), case_of({**there, (names[0], "b"): "0x5 1x25"}, [])]
    for rule, name in zip(rules, names):
        cases.append(case_of({**there, (name, "b"): "1x5 0x25"}, [alert_of(rule, "b")]))
        cases.append(case_of({key: values for key, values in there.items() if key[0] != name},
                             [alert_of(rule, "")]))
    with tempfile.NamedTemporaryFile("w", suffix=".yml", encoding="utf-8") as file:
        yaml.safe_dump({"rule_files": [os.path.abspath(path)], "evaluation_interval": "1m",
                        "tests": cases}, file)
        file.flush()
        run = subprocess.run(["promtool", "test", "rules", file.name], check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if run.returncode != 0:
        sys.exit(run.stdout.decode())
    print(f"{len(rules)} alerts fire when an object is missing, and only then")


if __name__ == "__main__":
    {"panels": check_panels, "rules": check_rules,
     "alerts": check_alerts}[sys.argv[1]](*sys.argv[2:])
