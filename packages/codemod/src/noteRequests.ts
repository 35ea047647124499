import { Node } from 'ts-morph'
import { operations } from '@headwater/contract'
import type { FileMigration } from './FileMigration.ts'

/** The functions of `@headwater/core`, with the paths of their operations. */
const functions = Object.values(operations).map(({ name, path }) => ({
  name: `get${name[0]!.toUpperCase()}${name.slice(1)}`,
  path: new RegExp(`${path.replace(/\{\w+\}/g, '[^/?]+')}[?\`'"]`),
}))

/** Notes requests without hooks: they need a client, and most code around them is replaced by it. */
export function noteRequests(migration: FileMigration): void {
  migration.file.forEachDescendant((node) => {
    const isText = Node.isStringLiteral(node) || Node.isNoSubstitutionTemplateLiteral(node)
    if (!isText && !Node.isTemplateExpression(node)) {
      return
    }
    // Expressions in a template may contain `/` and `?`.
    const text = node.getText().replace(/\$\{[^}]*\}/g, '{}')
    if (/api\.sim\.dune\.com|api\.dune\.com\/api\/echo/.test(text)) {
      const name = functions.find(({ path }) => path.test(text))?.name
      migration.note(
        node,
        name
          ? `This request is \`${name}(client, parameters)\` of \`@headwater/core\`; its response has the same fields.`
          : 'A URL of the hosted API: pass the URL of the service to `createClient`. Transactions, activity and Solana have no equivalent.',
      )
    } else if (/x-(sim|dune)-api-key/i.test(text)) {
      migration.note(node, 'The header of the key is `X-Service-Api-Key`; `createClient` sets it.')
    }
  })
}
