import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * What axe finds wrong with a page, a line each: nothing where it is accessible as far as a program can tell.
 *
 * @param rules - The only ones to go by; all where there are none.
 */
export async function complaintsOfAxe(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(runOnly && { runOnly: [...runOnly] }),
      }),
    rules,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help} ${html} ${failureSummary}`),
  )
}
