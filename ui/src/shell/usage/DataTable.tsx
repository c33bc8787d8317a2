import type { Bar } from "./bars";

interface Props {
  title: string;
  first: string;
  bars: readonly Bar[];
  words(value: number): string;
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
        {bars.map(({ key, label, value }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{words(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
