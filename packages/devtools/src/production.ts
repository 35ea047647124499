// For demos and staging: unlike the main entry, this one is not removed from production builds.
export type { DevtoolsOptions } from './DevtoolsElement.ts'
export { mount as mountDevtools } from './mount.ts'
