#!/usr/bin/env python3
"""critical-path on the hand-made cases of tests/data and on their kin: path, what-ifs, slack."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import kin
from handed import HANDED

exe = sys.argv[1]
data = pathlib.Path(__file__).resolve().parent.parent / 'data' / 'cases'
failed = 0


def ask(path, what_if, window):
    command = [exe, 'critical-path', str(path), '-f', 'json']
    for text in what_if:
        command += ['--what-if', text]
    if window:
        command += ['--window', window]
    p = subprocess.run(command, capture_output=True, text=True)
    if p.returncode:
        raise SystemExit(f'{path}: exit {p.returncode}: {p.stderr}')
    return {name: [dict(zip(t['columns'], r)) for r in t['rows']]
            for name, t in json.loads(p.stdout).items()}


def us(ns):
    return f'{ns / 1000:.3f}'.rstrip('0').rstrip('.')


def path_lines(answer):
    return [f'{us(r["start_ns"])}..{us(r["start_ns"] + r["dur_ns"])} {r["class"]} {r["name"]} '
            f'({r["why"]})' for r in answer['path']]


def expect(name, what, got, want):
    global failed
    if got == want:
        return
    failed += 1
    print(f'not ok - {name}: {what}')
    if isinstance(got, list):
        print('\n'.join(['#   got'] + [f'#     {x}' for x in got] + ['#   want'] +
                        [f'#     {x}' for x in want]))
    else:
        print(f'#   got {got}, want {want}')


def check(name, path, case):
    before = failed
    answer = ask(path, [text for text, _ in case['what_if']], case.get('window'))
    want = [line for line in case['path'].split('\n') if line]
    expect(name, 'path', path_lines(answer), want)
    window = answer['window'][0]['window_ns']
    expect(name, 'sum', sum(r['dur_ns'] for r in answer['path']), window)
    expect(name, 'classes', sum(r['time_ns'] for r in answer['path_summary']), window)
    for lane, at in case.get('lanes', {}).items():
        expect(name, f'lane at {at}', [r['lane'] for r in answer['path']
                                       if r['start_ns'] == at * 1000], [lane])
    for (text, want), row in zip(case['what_if'], answer['what_if']):
        expect(name, f'what if {text}', us(row['window_ns']), us(want * 1000))
        expect(name, f'gain of {text} within its bound', row['gain_ns'] <= row['bound_ns'], True)
    for event, want in case['slack']:
        got = [us(r['slack_ns']) for r in answer['slack'] if r['name'] == event]
        expect(name, f'slack of {event}', us(want * 1000) in got, True)
    if failed == before:
        print(f'ok - {name}')


with tempfile.TemporaryDirectory() as folder:
    for name, case in kin.CASES.items():
        path = pathlib.Path(folder) / f'{name}.json'
        path.write_text(json.dumps({'traceEvents': case['events']}))
        check(name, path, case)
for name, case in HANDED.items():
    check(name, data / name, case)
sys.exit(failed > 0)
