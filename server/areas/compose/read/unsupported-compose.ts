/** The file is valid for Docker Compose, but cannot be deployed here. */
export class UnsupportedCompose extends Error {
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[]) {
    super(sentences.join(' '))
    this.sentences = sentences
  }
}
