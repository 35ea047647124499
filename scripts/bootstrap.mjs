// What `npm start` and `npm test` run first, on any Node from 20 and with nothing installed: it brings pnpm, the
// dependencies and the pinned Node, then hands over. Plain JavaScript without dependencies, for that reason.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const [task = 'start', ...args] = process.argv.slice(2)

const tasks = {
  start: () => run('node', ['scripts/start.ts', ...args]),
  // A file on each core: half of the time they wait for databases and other processes.
  test: () => run('vitest', ['run', '--maxWorkers=100%', ...args]),
  check: () => run('npx', [...pnpm(), 'check', ...args]),
}

// The terminal sends Ctrl-C to the whole group: the one who started things ends them, we wait for it.
process.on('SIGINT', () => {})
let child
process.on('SIGTERM', () => child?.kill('SIGTERM'))
process.on('SIGHUP', () => child?.kill('SIGTERM'))
// Who started us over a channel is told what our child tells, and missed when gone.
process.on('disconnect', () => child?.kill('SIGTERM'))

/** An end with a sentence (or none, where what failed has said it) and an exit code. */
class Failure extends Error {
  constructor(message, code = 1) {
    super(message)
    this.code = code
  }
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Failure(
      `Headwater needs Node 20.19 or newer to start; this is ${process.version}. Get one from https://nodejs.org.`,
    )
  }
}

/** Installs when anything that decides what is installed has changed since it was last done. */
async function install() {
  const stamp = path.join(root, 'node_modules', '.headwater-install')
  const wanted = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) {
    return
  }
  console.log(`Installing dependencies with ${packageManager()} …`)
  await run(
    'npx',
    [
      ...pnpm(),
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
      `--reporter=${process.stdout.isTTY ? 'default' : 'append-only'}`,
    ],
    {
      failed:
        'The dependencies could not be installed. Is the npm registry reachable? The lines above say more.',
    },
  )
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, wanted)
}

/** The tools want Node 24. It comes with the dependencies where npm has it for this platform. */
function checkPinnedNode() {
  const pinned = path.join(root, 'node_modules', '.bin', 'node')
  if (existsSync(pinned) || Number(process.versions.node.split('.')[0]) >= 24) {
    return
  }
  throw new Failure(
    `No Node 24 comes with the dependencies for ${process.platform} ${process.arch}. Run this with Node 24 or newer; this is ${process.version}.`,
  )
}

function fingerprint() {
  const hash = createHash('sha256')
  const manifests = [
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'e2e/package.json',
    'integrations/package.json',
  ]
  for (const folder of ['packages', 'apps']) {
    const names = readdirSync(path.join(root, folder)).sort()
    manifests.push(...names.map((name) => path.join(folder, name, 'package.json')))
  }
  for (const file of manifests.filter((name) => existsSync(path.join(root, name)))) {
    hash.update(file).update(readFileSync(path.join(root, file)))
  }
  return hash.update(process.platform).update(process.arch).digest('hex')
}

function packageManager() {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).packageManager
}

/** Arguments by which npx runs our pnpm; it keeps what it fetched, so that the second time asks no network. */
function pnpm() {
  return ['--yes', '--prefer-offline', packageManager()]
}

/** Runs a command of this repository (its tools and the pinned Node first on the path) and waits for its end. */
function run(command, commandArgs, { failed = '' } = {}) {
  const tools = path.join(root, 'node_modules', '.bin')
  const paths = process.env.PATH.split(path.delimiter).filter((folder) => folder !== tools)
  // npx stays with the Node it came with: npm finds its own settings (proxy, certificates) beside that one.
  if (command !== 'npx') {
    paths.unshift(tools)
  }
  return new Promise((resolve, reject) => {
    child = spawn(command, commandArgs, {
      cwd: root,
      // The channel tells the other side when we are gone, even by kill -9.
      stdio: command === 'node' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
      env: {
        ...process.env,
        PATH: paths.join(path.delimiter),
        npm_config_update_notifier: 'false',
      },
      shell: process.platform === 'win32',
    })
    child.on('message', (message) => process.send?.(message))
    child.on('error', (error) =>
      reject(new Failure(`${command} could not be started: ${error.message}.`)),
    )
    child.on('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Failure(failed, code ?? (signal === 'SIGINT' ? 130 : 1))),
    )
  })
}

try {
  checkNode()
  await install()
  checkPinnedNode()
  await tasks[task]()
  // An open channel would keep us.
  process.exit(0)
} catch (error) {
  if (error instanceof Failure) {
    if (error.message) {
      console.error(`\n${error.message}`)
    }
    process.exit(error.code)
  }
  throw error
}
