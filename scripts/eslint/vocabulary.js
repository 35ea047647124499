// Keeps private vocabulary out of comments, identifiers and sentences in strings. docs/glossary.md lists the terms to use.
import vocabulary from './vocabulary.json' with { type: 'json' }

/**
 * `words` are matched as whole words, in any case; `phrases` in comments and strings only. The values are what to write
 * instead.
 */
const { words, phrases } = vocabulary

/** Parts of identifiers, in addition to the words. */
const identifierParts =
  'moment|refus(?:e|es|ed|al|als)|answers?|answered|look|looks|looked|underway'

/** Uses that are idiomatic. Removed from the text before it is checked. */
const allowed = [
  /\bask(?:s|ed)? (?:the user|for permission|price|side)\b/gi,
  /\bbid[- ]?(?:and|\/)[- ]?ask\b/gi,
  /\blook(?:s|ed)? up\b/gi,
  /\blooks? like\b/gi,
  /\bthere (?:is|are|was|were) no \w+/gi,
]

const sentencePattern = new RegExp(
  [
    ...Object.keys(words).map((word) => `\\b(?:${word})\\b`),
    ...Object.keys(phrases).map((phrase) => `\\b(?:${phrase})`),
  ].join('|'),
  'gi',
)
const identifierPattern = new RegExp(
  `^(?:${Object.keys(words).join('|')}|${identifierParts})$`,
  'i',
)

/** Every hit in a text: its position and what was found. */
function findHits(text) {
  const checked = allowed.reduce(
    (rest, pattern) => rest.replaceAll(pattern, (match) => ' '.repeat(match.length)),
    text,
  )
  return [...checked.matchAll(sentencePattern)].map(({ index, 0: found }) => ({ index, found }))
}

function findAdvice(found) {
  const entries = Object.entries({ ...words, ...phrases })
  const entry = entries.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(found))
  return entry?.[1] ?? 'see docs/glossary.md'
}

/** Parts of a camelCase, PascalCase or CONSTANT_CASE identifier. */
function splitIdentifier(name) {
  return name.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_$#\d]+/).filter(Boolean)
}

const rule = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: { identifiers: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
    messages: {
      text: '"{{found}}": use {{advice}}.',
      identifier: '"{{part}}" in `{{name}}` is not a term of the field; see docs/glossary.md.',
    },
  },
  create(context) {
    const { sourceCode } = context
    const allowedIdentifiers = new Set(context.options[0]?.identifiers)

    const checkText = (text, start) => {
      for (const { index, found } of findHits(text)) {
        const loc = {
          start: sourceCode.getLocFromIndex(start + index),
          end: sourceCode.getLocFromIndex(start + index + found.length),
        }
        context.report({ loc, messageId: 'text', data: { found, advice: findAdvice(found) } })
      }
    }
    const checkName = (node) => {
      if (!node || !['Identifier', 'PrivateIdentifier'].includes(node.type)) {
        return
      }
      if (allowedIdentifiers.has(node.name)) {
        return
      }
      const part = splitIdentifier(node.name).find((each) => identifierPattern.test(each))
      if (part) {
        context.report({ node, messageId: 'identifier', data: { part, name: node.name } })
      }
    }
    /** Names that a pattern binds. The key of a renamed property belongs to another object. */
    const checkPattern = (node) => {
      switch (node?.type) {
        case 'Identifier':
          return checkName(node)
        case 'ObjectPattern':
          return node.properties.forEach((each) => checkPattern(each.value ?? each.argument))
        case 'ArrayPattern':
          return node.elements.forEach(checkPattern)
        case 'AssignmentPattern':
          return checkPattern(node.left)
        case 'RestElement':
          return checkPattern(node.argument)
      }
    }
    const checkFunction = (node) => {
      checkName(node.id)
      node.params.forEach(checkPattern)
    }
    const checkKey = (node) => {
      if (!node.computed) {
        checkName(node.key)
      }
    }
    const isSentence = (text) => / /.test(text.trim())

    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          checkText(sourceCode.getText().slice(...comment.range), comment.range[0])
        }
      },
      Literal(node) {
        if (typeof node.value === 'string' && isSentence(node.value)) {
          checkText(sourceCode.getText(node), node.range[0])
        }
      },
      TemplateElement(node) {
        if (isSentence(node.value.raw)) {
          checkText(sourceCode.getText(node), node.range[0])
        }
      },
      VariableDeclarator: (node) => checkPattern(node.id),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: (node) => node.params.forEach(checkPattern),
      TSDeclareFunction: checkFunction,
      ClassDeclaration: (node) => checkName(node.id),
      TSInterfaceDeclaration: (node) => checkName(node.id),
      TSTypeAliasDeclaration: (node) => checkName(node.id),
      PropertyDefinition: checkKey,
      MethodDefinition: checkKey,
      TSPropertySignature: checkKey,
      TSMethodSignature: checkKey,
      Property: (node) => node.parent.type === 'ObjectExpression' && checkKey(node),
    }
  },
}

export default { rules: { vocabulary: rule } }
