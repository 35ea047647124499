import { transform } from 'sucrase'

/**
 * Compiles a module of TypeScript and JSX.
 *
 * @param source - Its text.
 * @returns The body of a CommonJS module, which uses `require` and `exports`.
 * @throws {Error} when it is not valid; the message has the line.
 */
export function compileReact(source: string): string {
  return transform(source, {
    transforms: ['typescript', 'jsx', 'imports'],
    disableESTransforms: true,
    jsxRuntime: 'automatic',
    production: true,
  }).code
}
