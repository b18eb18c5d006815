/** What Slipway logged during the test that runs, by processes of its own as well; shown where the test fails. */
export const recorded: string[] = (Object(globalThis).slipwayRecorded ??= [])

export function record(line: string): void {
  recorded.push(line)
  if (recorded.length > 400) recorded.splice(0, 200)
}
