import { transform } from 'sucrase'
import { compile } from 'svelte/compiler'

/**
 * Compiles a component.
 *
 * @param source - Text of the component.
 * @returns The body of a CommonJS module, which uses `require` and `exports`.
 * @throws {Error} when it is not valid; the message has the position.
 */
export function compileSvelte(source: string): string {
  const { js } = compile(source, {
    generate: 'client',
    css: 'injected',
    filename: 'Playground.svelte',
  })
  return transform(js.code, { transforms: ['imports'], disableESTransforms: true }).code
}
