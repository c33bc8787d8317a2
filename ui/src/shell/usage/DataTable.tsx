import type { Bar } from "./bars";

interface Props {
  title: string;
  first: string;
  bars: readonly Bar[];
  words(bar: Bar): string;
}

/** A chart's figures, for who cannot see it. */
export function DataTable({ title, first, bars, words }: Props) {
  return (
    <table className="visually-hidden">
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th scope="col">Used</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.key}>
            <th scope="row">{bar.label}</th>
            <td>{words(bar)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
