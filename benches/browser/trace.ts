// How long the page's own thread was busy, from a trace.

/** Tasks of the page's own thread that are longer than this are felt. */
export const felt = 100

/** What of Chromium's trace events is read here; microseconds. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  tdur?: number
  args?: { name?: string }
}

/** The tasks of the page's main thread in a trace of the category "toplevel": milliseconds of a processor's time. */
export function tasksOf(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] }
  const thread = ({ pid, tid }: TraceEvent) => `${pid}.${tid}`
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map((named) => thread(named)),
  )
  return traceEvents.flatMap((event) =>
    event.ph === 'X' && event.name.endsWith('RunTask') && event.tdur !== undefined && main.has(thread(event))
      ? [event.tdur / 1000]
      : [],
  )
}
