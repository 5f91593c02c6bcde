// Doc comments of declarations, read from the source text by TypeScript's parser.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ES2022, true)
}

/** The text of a declaration's doc comment on one line, without its tags; empty if there is none. */
export function commentOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1)
  return (ts.getTextOfJSDocComment(comment?.comment) ?? '').replace(/\s+/g, ' ').trim()
}

/** The comments of an interface's properties, by name. */
export function commentsOfInterface(path: string, name: string): Map<string, string> {
  const found = parse(path).statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === name)
  if (!found || !ts.isInterfaceDeclaration(found)) throw new Error(`${path} has no interface ${name}`)
  return new Map(found.members.map((member) => [member.name?.getText() ?? '', commentOf(member)]))
}

export function commentOfClass(path: string, name: string): string {
  const found = parse(path).statements.find((one) => ts.isClassDeclaration(one) && one.name?.text === name)
  return found ? commentOf(found) : ''
}

/** The comments of a view's params, by name: those of the literal, or of the constant, that its `params` are. */
export function commentsOfParams(path: string, id: string): Map<string, string> {
  const source = parse(path)
  let found: ts.ObjectLiteralExpression | undefined
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && textOf(propertyOf(node, 'id')) === id) {
      const params = propertyOf(node, 'params')
      found = params && (ts.isIdentifier(params) ? constant(source, params.text) : objectOf(params))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return new Map((found?.properties ?? []).map((property) => [property.name?.getText() ?? '', commentOf(property)]))
}

function propertyOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of node.properties) {
    if (property.name?.getText() !== name) continue
    if (ts.isShorthandPropertyAssignment(property)) return property.name
    if (ts.isPropertyAssignment(property)) return property.initializer
  }
  return undefined
}

const textOf = (node: ts.Expression | undefined) => (node && ts.isStringLiteral(node) ? node.text : undefined)
const objectOf = (node: ts.Expression | undefined) => (node && ts.isObjectLiteralExpression(node) ? node : undefined)

function constant(source: ts.SourceFile, name: string): ts.ObjectLiteralExpression | undefined {
  const declarations = source.statements.flatMap((one) =>
    ts.isVariableStatement(one) ? [...one.declarationList.declarations] : [],
  )
  return objectOf(declarations.find((one) => one.name.getText() === name)?.initializer)
}
