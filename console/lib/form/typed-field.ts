/** A field that somebody else renders: whoever has the form, and whoever knows what is typed, are different areas. */
export interface TypedField {
  name: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}
