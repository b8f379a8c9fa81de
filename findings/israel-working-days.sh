#!/usr/bin/env bash
# Believed: a package of public holidays knows Israel's working days well enough to promise a delivery
#   ("two working days"), and the current ones agree.
# So it is: they agree on the holidays and on when Independence Day is moved, and on nothing beside.
#   Eves are half days by custom, and before the Day of Atonement hardly anything drives.
#   holidays (PyPI) and date-holidays (npm, asked for noon) call every eve a working day, the Sunday
#   before the Day of Atonement 2027 too. workalendar (PyPI) calls every eve a day off, and with them
#   Memorial Day, the eve of Independence Day, on which shops and couriers work in the morning as on any
#   other day. From 2026 to 2035 that is 62 days off from Sunday to Thursday for two of them, 122 for the
#   third. date-holidays answers by the moment: the same date is a holiday as "2027-10-11" and
#   none at 19:00 of it, and its eve is one from 18:00.
# Where it bites: pick-ups booked for a day on which nobody comes, "late" counted over eves, and promised
#   days that differ between a store and its carrier. Eves need a rule of their own.
# Versions: holidays 0.109, workalendar 17.0.0 (PyPI, Python 3.11), date-holidays 3.37.0 (npm, Node 20.20).
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund date-holidays@3.37.0 >/dev/null
python3 -m venv env
env/bin/pip -q install holidays==0.109 workalendar==17.0.0

cat > moments.mjs <<'JS'
import Holidays from 'date-holidays';
const israel = new Holidays('IL');
const isPublic = (moment) => (israel.isHoliday(moment) || []).some(({ type }) => type === 'public');
const noons = {};
for (let day = Date.UTC(2026, 0, 1, 10); day < Date.UTC(2036, 0, 1); day += 86_400_000)
  noons[new Date(day).toISOString().slice(0, 10)] = isPublic(new Date(day));
const moments = ['2027-10-10T12:00+03:00', '2027-10-10T19:00+03:00', '2027-10-11T12:00+03:00', '2027-10-11T19:00+03:00'];
console.log(JSON.stringify({ noons, moments: [...moments.map((text) => isPublic(new Date(text))), isPublic('2027-10-11')] }));
JS
cat > check.py <<'PY'
import datetime, json, subprocess
import holidays
from workalendar.asia import Israel

js = json.loads(subprocess.check_output(["node", "moments.mjs"]))
calendar = Israel()
first = datetime.date(2026, 1, 1)
days = [first + datetime.timedelta(n) for n in range((datetime.date(2036, 1, 1) - first).days)]
week = [day for day in days if day.weekday() not in (4, 5)]
named = holidays.IL(years=range(2026, 2036))
by_holidays = {day for day in week if day in named}
by_workalendar = {day for day in week if not calendar.is_working_day(day)}
by_date_holidays = {day for day in week if js["noons"][day.isoformat()]}
only = by_workalendar - by_holidays
print(f"days off, Sunday to Thursday, 2026 to 2035: holidays {len(by_holidays)}, date-holidays {len(by_date_holidays)}, workalendar {len(by_workalendar)}")
print("off for workalendar alone in 2027:", sorted(str(day) for day in only if day.year == 2027))
print("date-holidays, 10 October 12:00 and 19:00, 11 October 12:00 and 19:00, the text 2027-10-11:", js["moments"])
assert by_holidays == by_date_holidays and by_holidays < by_workalendar
atonement_eve, memorial_day = datetime.date(2027, 10, 10), datetime.date(2027, 5, 11)
assert atonement_eve in only and memorial_day in only
assert all(day + datetime.timedelta(1) in named for day in only)
assert js["moments"] == [False, True, True, False, True]
PY
env/bin/python check.py
