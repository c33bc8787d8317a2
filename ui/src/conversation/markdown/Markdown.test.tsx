import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Markdown } from "./Markdown";

afterEach(cleanup);

it("opens links elsewhere and tells the other side nothing", () => {
  render(<Markdown text="[docs](https://example.org/x)" />);
  const link = screen.getByRole("link", { name: "docs" });
  expect(link.getAttribute("rel")).toBe("noreferrer");
  expect(link.getAttribute("target")).toBe("_blank");
});

it("never loads a picture: it is a link", () => {
  const { container } = render(<Markdown text="![a cat](https://example.org/cat.png)" />);
  expect(container.querySelector("img")).toBeNull();
  expect(screen.getByRole("link", { name: "a cat" }).getAttribute("href")).toBe("https://example.org/cat.png");
});

it("makes no link of what could run, and no markup of HTML", () => {
  const { container } = render(<Markdown text={"[x](javascript:alert(1))\n\n<img src=x onerror=alert(1)>"} />);
  expect(screen.queryByRole("link")).toBeNull();
  expect(container.querySelector("img")).toBeNull();
});

it("offers to copy code, and puts tables into a place that scrolls", () => {
  render(<Markdown text={"```\nlet x = 1;\n```\n\n| a |\n|---|\n| b |"} />);
  expect(screen.getByRole("button", { name: "Copy code" })).toBeTruthy();
  expect(screen.getByRole("region", { name: "Table" })).toBeTruthy();
});
