# SPDX-License-Identifier: MIT
"""What 57-prometheus.sh asks of a Prometheus about the files that -Emit wrote.

    dashboard.py panels URL DASHBOARD.json   every query of every panel has an answer
    dashboard.py rules URL RULES.yml         every rule is loaded and healthy; what it records is
                                             there, and so is what an alert looks at

A query that finds nothing is the failure that a wrong name makes: Prometheus does not complain.
"""
import json
import re
import sys
import urllib.parse
import urllib.request

import yaml

# What Grafana puts in the place of its variables.
CHOSEN = {"$prfdata_job": ".+", "$prfdata_instance": ".+", "$__rate_interval": "1m"}


def ask(url, path, **parameters):
    """The data of an answer of Prometheus' API."""
    query = urllib.parse.urlencode(parameters)
    with urllib.request.urlopen(f"{url}/api/v1/{path}?{query}", timeout=30) as answer:
        said = json.load(answer)
    assert said["status"] == "success", said
    return said["data"]


def lacks_answer(url, expression):
    """Whether nothing answers an expression."""
    return not ask(url, "query", query=expression)["result"]


def expressions_of(dashboard):
    """The queries of a dashboard as Grafana sends them."""
    for panel in dashboard["panels"]:
        for target in panel.get("targets", []):
            expression = target["expr"]
            for name, value in CHOSEN.items():
                expression = expression.replace(name, value)
            assert "$" not in expression, expression
            yield expression


def check_panels(url, path):
    """Print how many queries have an answer; exit with those that have none."""
    with open(path, encoding="utf-8") as file:
        expressions = list(expressions_of(json.load(file)))
    assert expressions, "the dashboard asks nothing"
    empty = [each for each in expressions if lacks_answer(url, each)]
    if empty:
        sys.exit("nothing answers " + "\n".join(empty))
    print(f"{len(expressions)} queries answered")


def check_rules(url, path):
    """The same for rules: what they record, and what their alerts look at."""
    with open(path, encoding="utf-8") as file:
        written = [rule for group in yaml.safe_load(file)["groups"] for rule in group["rules"]]
    loaded = [rule for group in ask(url, "rules")["groups"] for rule in group["rules"]]
    wrong = [rule for rule in loaded if rule["health"] != "ok" or rule.get("lastError")]
    assert len(loaded) == len(written) and written, (len(loaded), len(written))
    for rule in written:
        expression = rule.get("record") or re.sub(r" (==|>) 0$", "", rule["expr"])
        if lacks_answer(url, f'{{__name__="{expression}"}}' if "record" in rule else expression):
            wrong.append(expression)
    firing = [rule["name"] for rule in loaded if rule["type"] == "alerting" and rule["alerts"]]
    if wrong or firing:
        sys.exit(f"{wrong}; alerts: {firing}")
    print(f"{len(written)} rules work")


if __name__ == "__main__":
    {"panels": check_panels, "rules": check_rules}[sys.argv[1]](*sys.argv[2:])
