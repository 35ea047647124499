// Entry point of `npm start`, `npm test` and CI. Runs on Node 20 or newer before anything is installed: installs pnpm, the
// dependencies and the pinned Node, then runs the task. Plain JavaScript without dependencies for that reason.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { exists, killTree, runnerOf } from './processTree.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const [task = 'start', ...args] = process.argv.slice(2)

const tasks = {
  start: () => run('node', ['--conditions=@headwater/source', 'scripts/start.ts', ...args]),
  test: () =>
    args.length > 0
      ? run('vitest', ['run', '--maxWorkers=100%', ...args])
      : run('node', ['scripts/test.ts']),
}

/** Any other task is a script of package.json. */
const runTask = () => tasks[task]?.() ?? run('npx', [...pnpm(), 'run', task, ...args])

// The terminal sends SIGINT to the whole process group: the child stops what it started, this process waits for it.
process.on('SIGINT', () => {})
let child
/** Exit code of a process that is being stopped: no other command starts. */
let stopCode
process.on('SIGTERM', () => stop(143))
process.on('SIGHUP', () => stop(129))
// The IPC channel of the parent process closed: it exited, even if by SIGKILL.
process.on('disconnect', () => stop(1))
// npm passes SIGTERM on to the shell that runs this script; the shell exits without passing it on. After a SIGKILL of npm,
// the shell remains.
if (process.env.npm_lifecycle_event === task) {
  const parent = process.ppid
  const npm = runnerOf(parent)
  setInterval(() => (process.ppid !== parent || !exists(npm)) && stop(143), 500).unref()
}

/** Stops the running command; this process exits after it. */
function stop(code) {
  stopCode ??= code
  if (child?.spawnfile === 'npx') {
    killTree(child.pid)
  } else {
    // The child stops what it started.
    child?.kill('SIGTERM')
  }
}

/** Ends this process with an exit code, and a message unless the failed command has printed its own. */
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
      `Headwater requires Node 20.19 or newer; this is ${process.version}. Download it from https://nodejs.org.`,
    )
  }
}

/** Installs the dependencies unless no manifest has changed since the last installation. */
async function install() {
  const stamp = path.join(root, 'node_modules', '.headwater-install')
  const current = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === current) {
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
        'Installing the dependencies failed. Is the npm registry reachable? See the output above.',
    },
  )
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, current)
}

/** The tools require Node 24, which npm provides as a dependency on some platforms. */
function checkPinnedNode() {
  const pinned = path.join(root, 'node_modules', '.bin', 'node')
  if (existsSync(pinned) || Number(process.versions.node.split('.')[0]) >= 24) {
    return
  }
  throw new Failure(
    `npm provides no Node 24 for ${process.platform} ${process.arch}. Run this with Node 24 or newer; this is ${process.version}.`,
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

/** Arguments for npx that run the pinned pnpm, from npx's cache if possible. */
function pnpm() {
  return ['--yes', '--prefer-offline', packageManager()]
}

/** Runs a command with the repository's tools and the pinned Node first on the path, until it exits. */
function run(command, commandArgs, { failed = '' } = {}) {
  if (stopCode !== undefined) {
    throw new Failure('', stopCode)
  }
  const tools = path.join(root, 'node_modules', '.bin')
  const paths = process.env.PATH.split(path.delimiter).filter((folder) => folder !== tools)
  // npx runs on its own Node, because npm finds its global settings (proxy, certificates) relative to it.
  if (command !== 'npx') {
    paths.unshift(tools)
  }
  return new Promise((resolve, reject) => {
    child = spawn(command, commandArgs, {
      cwd: root,
      // Through the channel, the child notices when this process exits, even if by SIGKILL.
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
      reject(new Failure(`Starting ${command} failed: ${error.message}.`)),
    )
    child.on('exit', (code, signal) => {
      child = undefined
      if (stopCode !== undefined) {
        reject(new Failure('', stopCode))
      } else if (code === 0) {
        resolve()
      } else {
        reject(new Failure(failed, code ?? (signal === 'SIGINT' ? 130 : 1)))
      }
    })
  })
}

try {
  checkNode()
  await install()
  checkPinnedNode()
  await runTask()
  // An open IPC channel would keep the process alive.
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
