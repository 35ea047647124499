import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * The accessibility violations that axe finds in a page, one per line.
 *
 * @param rules - Ids of the rules to check; all by default.
 * @param within - Selector of the element to check; the page by default.
 */
export async function findAxeViolations(
  page: Page,
  rules?: readonly string[],
  within = 'html',
): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    ([context, runOnly]) =>
      (window as unknown as { axe: typeof axe }).axe.run(context, {
        resultTypes: ['violations'],
        ...(runOnly && { runOnly: [...runOnly] }),
      }),
    [within, rules] as const,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${help} ${html} ${failureSummary}`),
  )
}
