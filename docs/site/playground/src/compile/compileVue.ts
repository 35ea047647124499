import { transform } from 'sucrase'
import { compileScript, parse } from 'vue/compiler-sfc'

const id = 'playground'

/**
 * Compiles a component with `<script setup>`. Its styles are not used.
 *
 * @param source - Text of the component.
 * @returns The body of a CommonJS module, which uses `require` and `exports`.
 * @throws {Error} when it is not valid.
 */
export function compileVue(source: string): string {
  const { descriptor, errors } = parse(source, { filename: `${id}.vue` })
  if (errors[0]) {
    throw errors[0]
  }
  const { content } = compileScript(descriptor, { id, inlineTemplate: true })
  return transform(content, { transforms: ['typescript', 'imports'], disableESTransforms: true })
    .code
}
