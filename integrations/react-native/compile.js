// Compiles a bundle to Hermes bytecode.
const { execFileSync } = require('node:child_process')
const path = require('node:path')

const folders = { linux: 'linux64-bin', darwin: 'osx-bin', win32: 'win64-bin' }
const package = path.dirname(require.resolve('hermes-compiler/package.json'))
const hermesc = path.join(package, 'hermesc', folders[process.platform], 'hermesc')
execFileSync(hermesc, ['-emit-binary', '-O', '-w', '-out', 'bundle.hbc', process.argv[2]], {
  stdio: 'inherit',
})
