// Writes src/games/generated/ from the rules in Python: ../tools/deal_tables.py does it, with any Python from 3.11 on.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const own = `${root}.venv/bin/python`;
const python = process.env.PYTHON ?? (existsSync(own) ? own : 'python3');
const { status, error } = spawnSync(python, [`${root}tools/deal_tables.py`], { stdio: 'inherit' });
if (error) console.error(`The web app needs Python 3.11 or newer to be built: ${error.message}`);
process.exit(status ?? 1);
