// Code that is fetched when it is needed, and again when it could not be fetched.

let attempts = 0

/** The address in a browser's message of a failed import; Safari names none. */
export function addressIn(message: string): string | undefined {
  return /https?:\/\/\S+\.js(?=\?|$|\s)/.exec(message)?.[0]
}

/**
 * Imports a module. Browsers keep the failure of an address as they keep a module, so that only another address fetches it again.
 *
 * @param load an import of the page's own code
 */
export async function fetchCode<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load()
  } catch (failure) {
    const address = failure instanceof Error ? addressIn(failure.message) : undefined
    if (address === undefined || new URL(address).origin !== location.origin) throw failure
    return (await import(/* @vite-ignore */ `${address}?again=${++attempts}`)) as M
  }
}
