import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * The accessibility violations that axe finds in a page, one per line.
 *
 * @param rules - Ids of the rules to check; all by default.
 */
export async function findAxeViolations(
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
