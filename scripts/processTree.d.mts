// Types of processTree.mjs, which is JavaScript because bootstrap.mjs runs on Node 20.
export function killTree(pid: number): void
export function descendants(pid: number): number[]
export function isAlive(pid: number): boolean
export function runnerOf(parent: number): number
export function exists(pid: number): boolean
