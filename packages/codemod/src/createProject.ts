import { Project } from 'ts-morph'

/** A project that resolves names within files only: no libraries, and no types of packages. */
export const createProject = () =>
  new Project({
    compilerOptions: { allowJs: true, noLib: true, types: [], noResolve: true },
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
  })
