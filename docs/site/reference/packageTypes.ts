// The exports of a module as TypeScript's checker knows them: types, members, calls and their comments.
import ts from 'typescript'

export interface Entry {
  name: string
  comment: string
  /** The declaration of a type alias, or the type of a member; empty for what has members or signatures instead. */
  text: string
  /** Of what can be called. */
  signatures: readonly string[]
  members: readonly Entry[]
  /** Whether it exists while a program runs. */
  isValue: boolean
}

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope

export class PackageTypes {
  readonly #checker: ts.TypeChecker
  readonly #exports: readonly ts.Symbol[]
  /** The package's names of types that have another name inside. */
  readonly #renamed = new Map<string, string>()

  constructor(path: string) {
    const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile) as { config: object }
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [path] }, ts.sys, '.')
    const program = ts.createProgram([path], options)
    this.#checker = program.getTypeChecker()
    const source = program.getSourceFile(path)
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) throw new Error(`${path} is no module`)
    this.#exports = this.#checker.getExportsOfModule(module)
    for (const one of this.#exports) {
      const inside = this.#original(one).name
      if (inside !== one.name) this.#renamed.set(inside, one.name)
    }
  }

  get entries(): Entry[] {
    return this.#exports.map((one) => this.#entry(one))
  }

  #original(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
  }

  #entry(exported: ts.Symbol): Entry {
    const symbol = this.#original(exported)
    const declaration = this.#declarationOf(symbol)
    const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol)
    const hasMembers = ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration)
    // The many requests read best as they are written, each with its comment.
    const isLong = exported.name === 'Questions'
    const properties = hasMembers && !isLong ? type.getProperties() : []
    return {
      name: exported.name,
      comment: this.#commentOf(symbol),
      text: isLong || ts.isTypeAliasDeclaration(declaration) ? this.#written(exported.name, declaration) : '',
      signatures: hasMembers ? [] : this.#signaturesOf(symbol, declaration),
      members: properties.filter((member) => this.#isPublic(member)).map((member) => this.#member(member)),
      isValue,
    }
  }

  #member(symbol: ts.Symbol): Entry {
    const declaration = this.#declarationOf(symbol)
    const isMethod = ts.isMethodDeclaration(declaration) || ts.isMethodSignature(declaration)
    const optional = symbol.flags & ts.SymbolFlags.Optional ? '?' : ''
    return {
      name: `${symbol.name}${optional}`,
      comment: this.#commentOf(symbol),
      text: isMethod ? '' : this.#typeOf(symbol, declaration),
      signatures: isMethod ? this.#signaturesOf(symbol, declaration).map((one) => `${symbol.name}${one}`) : [],
      members: [],
      isValue: false,
    }
  }

  /** The type as it is written, else as it was found. */
  #typeOf(symbol: ts.Symbol, declaration: ts.Declaration): string {
    const written = 'type' in declaration ? (declaration.type as ts.TypeNode | undefined) : undefined
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration)
    if (!written) return this.#outside(this.#checker.typeToString(type, declaration, flags))
    const text = written.getText().replace(/\s+/g, ' ')
    // A name that the package does not export says nothing: its type does.
    const isInside = type.aliasSymbol?.name === text && !this.#exports.some(({ name }) => name === text)
    return this.#outside(isInside ? this.#expanded(type) : text)
  }

  #signaturesOf(symbol: ts.Symbol, declaration: ts.Declaration): string[] {
    const type = this.#checker.getTypeOfSymbolAtLocation(symbol, declaration)
    return type
      .getCallSignatures()
      .map((one) => this.#outside(this.#checker.signatureToString(one, declaration, flags)))
  }

  #expanded(type: ts.Type): string {
    return stringsOf(type) ?? this.#checker.typeToString(type, undefined, flags | ts.TypeFormatFlags.InTypeAlias)
  }

  /** A declaration as it is written, without the comment above it, which stands elsewhere. Strings are listed. */
  #written(name: string, declaration: ts.Declaration): string {
    const isOperator = ts.isTypeAliasDeclaration(declaration) && ts.isTypeOperatorNode(declaration.type)
    const strings = isOperator ? undefined : stringsOf(this.#checker.getTypeAtLocation(declaration))
    if (strings !== undefined) return `type ${name} = ${strings}`
    return this.#outside(declaration.getText().replace(/^export /, ''))
  }

  #outside(text: string): string {
    return text.replace(/\b[A-Z]\w*\b/g, (name) => this.#renamed.get(name) ?? name)
  }

  #isPublic(member: ts.Symbol): boolean {
    const declaration = this.#declarationOf(member)
    const isOwn = !declaration.getSourceFile().isDeclarationFile
    return isOwn && !isNamedPrivately(declaration)
  }

  #declarationOf(symbol: ts.Symbol): ts.Declaration {
    const [declaration] = symbol.declarations ?? []
    if (!declaration) throw new Error(`${symbol.name} has no declaration`)
    return declaration
  }

  #commentOf(symbol: ts.Symbol): string {
    const written = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).replace(/\s+/g, ' ')
    // wasm-bindgen's, which writes Rust's as `r" …`.
    const text = written.startsWith('r"') ? '' : written
    const thrown = symbol.getJsDocTags(this.#checker).filter(({ name }) => name === 'throws')
    const throws = thrown.map(({ text }) => ` Throws ${ts.displayPartsToString(text).replace(/\s+/g, ' ')}.`)
    return `${text}${throws.join('').replace(/[{}]/g, '').replace('..', '.').replace(' ,', ',')}`.trim()
  }
}

/** The strings of a union of them, sorted: the checker's own order depends on what it saw first. */
function stringsOf(type: ts.Type): string | undefined {
  if (!type.isUnion() || !type.types.every((one) => one.isStringLiteral())) return undefined
  return type.types
    .flatMap((one) => (one.isStringLiteral() ? [`'${one.value}'`] : []))
    .sort()
    .join(' | ')
}

function isNamedPrivately(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration)
  return name !== undefined && ts.isPrivateIdentifier(name)
}
