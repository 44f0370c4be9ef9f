/** Such as `{decision: 'approve'}`; never a value of an application. */
export type Labels = Readonly<Record<string, string>>

export interface Sample {
  readonly labels?: Labels
  readonly value: number
}

/** What an operator watches, in the words of Prometheus. Names are unique; a name taken twice is a bug (TypeError). */
export interface Metrics {
  /** Only grows; `by` is 1 unless said otherwise. */
  counter(name: string, help: string): { add(labels?: Labels, by?: number): void }
  /** Asked for when it is read; one that fails is left out of that reading. */
  gauge(name: string, help: string, read: () => readonly Sample[] | Promise<readonly Sample[]>): void
  /** `bounds` grow. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
  ): { observe(value: number, labels?: Labels): void }
  /** All of them, in Prometheus's text format 0.0.4. */
  text(): Promise<string>
}
