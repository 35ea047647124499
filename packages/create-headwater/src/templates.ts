/** The templates, each in a folder of this name, which the integrations install, build and open in Chromium. */
export const templates = [
  { name: 'vite-react', framework: 'React', mode: 'Vite', hint: 'rendered in the browser' },
  { name: 'next', framework: 'React', mode: 'Next.js', hint: 'rendered on a server' },
  { name: 'vite-vue', framework: 'Vue', mode: 'Vite', hint: 'rendered in the browser' },
  { name: 'nuxt', framework: 'Vue', mode: 'Nuxt', hint: 'rendered on a server' },
  { name: 'vite-svelte', framework: 'Svelte', mode: 'Vite', hint: 'rendered in the browser' },
  { name: 'sveltekit', framework: 'Svelte', mode: 'SvelteKit', hint: 'rendered on a server' },
] as const

export type TemplateName = (typeof templates)[number]['name']

export const templateNames = templates.map(({ name }) => name)

export const isTemplateName = (name: string): name is TemplateName =>
  templates.some((template) => template.name === name)
