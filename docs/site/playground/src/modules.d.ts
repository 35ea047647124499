declare module 'virtual:example-*' {
  const example: { readonly source: string; readonly compiled: string }
  export default example
}
declare module 'svelte/internal/client'
