export const rule: string
export function licencesOf(modules: readonly string[]): Promise<string>
