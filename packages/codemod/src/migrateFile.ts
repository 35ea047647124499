import { type Identifier, type ImportDeclaration, Node, type SourceFile } from 'ts-morph'
import { FileMigration, type Note } from './FileMigration.ts'
import { migrateBalancesHook } from './migrateBalancesHook.ts'
import { migrateProvider } from './migrateProvider.ts'
import { noteRequests } from './noteRequests.ts'

const oldPackage = '@duneanalytics/hooks'

const noTransactions =
  'has no equivalent: the service has balances, prices, holders and NFTs, not transactions.'
const noSolana = 'has no equivalent: the service indexes EVM chains only.'
const getBalances =
  'is `getBalances(client, { address })` of `@headwater/core`, whose result has the same fields.'

/** Exports that need a decision of the developer. */
const unsupported: Readonly<Record<string, string>> = {
  useTransactions: noTransactions,
  useEvmTransactions: noTransactions,
  useSvmTransactions: noSolana,
  useSvmTokenBalances: noSolana,
  fetchSvmBalances: noSolana,
  fetchBalances: getBalances,
  fetchEvmBalances: getBalances,
}

/**
 * Migrates a file from the hooks of the hosted API to Headwater.
 *
 * @param baseUrl - `baseUrl` of the client: the URL of the service, or the path of the app's proxy.
 * @returns The new text, undefined if nothing changed, and what remains to be done.
 */
export function migrateFile(
  file: SourceFile,
  baseUrl: string,
): { readonly text: string | undefined; readonly notes: readonly Note[] } {
  const migration = new FileMigration(file)
  const syntaxError = file
    .getProject()
    .getProgram()
    .getSyntacticDiagnostics(file)
    // From 8000 on, they are of types in JavaScript, as Flow has them.
    .find((each) => each.getCode() < 8000)
  if (syntaxError) {
    const line = syntaxError.getLineNumber() ?? 1
    return {
      text: undefined,
      notes: [{ line, message: 'This file has a syntax error: correct it, and run again.' }],
    }
  }
  const declarations: { declaration: ImportDeclaration; kept: string[] }[] = []
  for (const declaration of file.getImportDeclarations()) {
    if (declaration.getModuleSpecifierValue() !== oldPackage) {
      continue
    }
    if (declaration.getNamespaceImport() || declaration.getDefaultImport()) {
      migration.note(
        declaration,
        `Import the names of \`${oldPackage}\` one by one, and run again.`,
      )
      continue
    }
    const kept = declaration.getNamedImports().filter((specifier) => {
      const local = specifier.getAliasNode() ?? specifier.getNameNode()
      return !(
        Node.isIdentifier(local) && migrateImport(specifier.getName(), local, migration, baseUrl)
      )
    })
    declarations.push({ declaration, kept: kept.map((specifier) => specifier.getText()) })
  }
  // Once all uses are migrated, it is known what is imported.
  for (const [index, { declaration, kept }] of declarations.entries()) {
    const added = index === 0 ? migration.writeImports() : ''
    if (!added && kept.length === declaration.getNamedImports().length) {
      continue
    }
    const type = declaration.isTypeOnly() ? 'type ' : ''
    const own = kept.length > 0 && `import ${type}{ ${kept.join(', ')} } from '${oldPackage}'`
    migration.replace(declaration, [added, own].filter(Boolean).join('\n'))
  }
  noteOtherUses(migration)
  noteRequests(migration)
  const text = migration.apply()
  const notes = migration.notes.sort((a, b) => a.line - b.line)
  return { text: text === file.getFullText() ? undefined : text, notes }
}

/** Notes what names the old package without an import declaration: exports from it, `import()`, `require` and mocks. */
function noteOtherUses(migration: FileMigration): void {
  migration.file.forEachDescendant((node) => {
    const isName = Node.isStringLiteral(node) && node.getLiteralValue() === oldPackage
    if (isName && !Node.isImportDeclaration(node.getParent())) {
      migration.note(node, `Only import declarations of \`${oldPackage}\` are migrated.`)
    }
  })
}

/** Returns whether all uses of an import were migrated. */
function migrateImport(
  name: string,
  local: Identifier,
  migration: FileMigration,
  baseUrl: string,
): boolean {
  const uses = migration.findUses(local)
  if (name === 'DuneProvider') {
    return uses.map((use) => migrateProvider(use, migration, baseUrl)).every(Boolean)
  }
  if (name === 'useTokenBalances' || name === 'useEvmTokenBalances') {
    return uses.map((use) => migrateBalancesHook(use, migration)).every(Boolean)
  }
  for (const use of uses) {
    migration.note(use, `\`${name}\` ${unsupported[name] ?? 'is unknown to this codemod.'}`)
  }
  return false
}
