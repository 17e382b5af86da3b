// SPDX-License-Identifier: MIT
using System;
using System.Threading;
using PrfData;

/// <summary>Counts ten jobs of a queue: Example [map file]</summary>
internal static class Example
{
    private static void Main(string[] arguments)
    {
        using (Publisher publisher = Publisher.Open(arguments.Length > 0 ? arguments[0] : "queues.prfmap"))
        {
            Console.WriteLine(publisher.Status);
            Instance mail = publisher.Add("QUEUES", "mail");
            Counter depth = mail.Counter("QUEUES_DEPTH");
            Counter jobs = mail.Counter("QUEUES_JOBS");
            Average jobTime = mail.Average("QUEUES_JOB_TIME");
            Distribution jobBytes = mail.Distribution(10);

            depth.Set(13);
            for (int i = 0; i < 10; i++)
            {
                jobTime.Time(() => Thread.Sleep(1));
                mail.Together(() =>
                {
                    jobs.Increment();
                    depth.Decrement();
                });
                jobBytes.Record(1000);
            }
            Console.WriteLine("jobs {0}, depth {1}", jobs.Value, depth.Value);
            Console.WriteLine("They are shown until standard input ends.");
            Console.In.ReadToEnd();
        }
    }
}
