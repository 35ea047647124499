import { createMarkdownRenderer } from 'vitepress'
import { beforeAll, expect, it } from 'vitest'
import { requireSources } from '../.vitepress/requireSources.ts'

const root = new URL('..', import.meta.url).pathname
let render: (text: string, page?: string) => Promise<string>
beforeAll(async () => {
  const md = await createMarkdownRenderer(root, { config: requireSources })
  render = async (text, relativePath = 'guides/page.md') => md.renderAsync(text, { relativePath })
})

it.each(['ts', 'tsx', 'js', 'vue', 'svelte', 'ts [React]'])(
  'rejects a block of %s',
  async (info) => {
    await expect(render(`Text\n\n\`\`\`${info}\nconst a = 1\n\`\`\`\n`)).rejects.toThrow(
      /guides\/page\.md:3: import this code/,
    )
  },
)

it('rejects code of a file that no check compiles', async () => {
  await expect(render('<<< @/../../scripts/start.ts')).rejects.toThrow(/scripts\/start\.ts is not/)
})

it('accepts code of a snippet, other languages, and generated pages', async () => {
  expect(await render('<<< @/snippets/core/request.ts')).toContain('getBalances')
  expect(await render('```sh\nnpm start\n```')).toContain('npm')
  expect(await render('```ts\nconst a = 1\n```', 'api/core/index.md')).toContain('const')
})
