/** Log lines of the current test, shown when it fails. */
export const recorded: string[] = (Object(globalThis).slipwayRecorded ??= [])

export function record(line: string): void {
  recorded.push(line)
  if (recorded.length > 400) recorded.splice(0, 200)
}
