/** The frameworks that have a binding and a demo: the name of their package, their title, and the extension of components. */
export const bindings = [
  { name: 'react', title: 'React', extension: 'tsx' },
  { name: 'vue', title: 'Vue', extension: 'vue' },
  { name: 'svelte', title: 'Svelte', extension: 'svelte' },
] as const

export type BindingName = (typeof bindings)[number]['name']

export const bindingNames = bindings.map(({ name }) => name)
