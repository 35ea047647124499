import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAlive } from '../processTree.mjs'
import { Process } from './Process.ts'

describe('Process', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'headwater-process-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const start = (program: string) =>
    new Process({
      name: 'program',
      command: process.execPath,
      args: ['--eval', program],
      cwd: folder,
      logFile: path.join(folder, 'program.log'),
    })

  it('passes on the progress of a program until it is ready', async () => {
    const program = start(
      `process.send({ type: 'progress', text: 'half' }); process.send({ type: 'ready', result: 42 }); setInterval(() => {}, 1000)`,
    )
    const progress: string[] = []
    expect(await program.ready((text) => progress.push(text))).toMatchObject({ result: 42 })
    expect(progress).toEqual(['half'])
    await program.stop()
  })

  it('reports the last output of a program that exits before it is ready', async () => {
    const program = start(`console.error('no such folder'); process.exit(3)`)
    await expect(program.ready(() => {})).rejects.toThrow(
      /program exited \(exit code 3\).*no such folder/s,
    )
  })

  it('rejects when the program cannot be started', async () => {
    const program = new Process({
      name: 'program',
      command: path.join(folder, 'absent'),
      args: [],
      cwd: folder,
      logFile: path.join(folder, 'absent.log'),
    })
    await expect(program.ready(() => {})).rejects.toThrow(/ENOENT/)
  })

  it('kills a program that ignores SIGTERM, and its children', async () => {
    const program = start(
      `process.on('SIGTERM', () => {});
       const { pid } = require('node:child_process').spawn('sleep', ['1000']);
       process.send({ type: 'ready', pid }); setInterval(() => {}, 1000)`,
    )
    const { pid } = (await program.ready(() => {})) as unknown as { pid: number }
    await program.stop(100)
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(isAlive(program.pid!)).toBe(false)
  })
})
