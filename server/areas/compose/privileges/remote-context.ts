const remote = /^((https?|git|ssh|docker-image):\/\/|git@|github\.com\/|service:|target:)/i

/** Whether a build takes it from elsewhere: from a repository, an image or a stage, and not from a folder of the server. */
export const isRemoteContext = (context: string) => remote.test(context)
