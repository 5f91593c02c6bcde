/** @param out a folder @returns the modules of which its scripts are made */
export function bundleForPages(out: string): Promise<string[]>
export function bundleForNode(out: string): Promise<string[]>
