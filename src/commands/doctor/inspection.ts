/** What can be learned of this machine without changing anything on it. */
export interface Inspection {
  /** Size of the store's file and of its write-ahead log in bytes; `undefined` when there is no file. */
  storeFile(dataFolder: string): { readonly bytes: number; readonly logBytes: number } | undefined
  /** Why the store's file, or the folder it would be made in, can't be written and synced; `undefined`: it can. */
  whyNotWritable(dataFolder: string): string | undefined
  /** Bytes free to this process where the folder lies, or would lie; `undefined` when the system does not say. */
  freeBytes(dataFolder: string): Promise<number | undefined>
  /** Milliseconds by which the wall clock ran ahead of a steady one over a short moment. */
  clockStepMs(): Promise<number>
}
